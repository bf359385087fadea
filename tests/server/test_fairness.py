"""The real server: what one caller starts and leaves keeps nobody else waiting."""

import time

import httpx
import pytest

from errata.server.settings import ServerSettings, max_runs
from langgraph_server import RUN

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("places", "most"), [(1, 1), (2, 1), (16, 4), (64, 16), (1000, 16), (0, 16)]
)
def test_a_caller_has_a_quarter_of_the_places_at_most(places, most):
    assert max_runs(ServerSettings(), places) == most


def test_few_runs_wait_for_one_thread(guarded):
    with guarded.http("dave") as http, guarded.http("bob") as other:
        thread = http.post("/threads", json={}).json()["thread_id"]
        replies = [
            http.post(f"/threads/{thread}/runs", json={**RUN, "assistant_id": guarded.slow})
            for _ in range(6)
        ]
        codes = [reply.status_code for reply in replies]
        assert codes[:2] == [200, 200]
        assert codes.count(200) <= 3  # one under way, two that wait
        assert "wait for this thread" in replies[-1].text
        assert other.post("/runs/wait", json=RUN).json()["changed"]
        http.delete(f"/threads/{thread}")


@pytest.mark.parametrize(("given", "ends"), [({}, "interrupted"), ("continue", "success")])
def test_a_run_ends_when_its_client_leaves(guarded, given, ends):
    body = {**RUN, "assistant_id": guarded.slow, "on_completion": "keep"} | (
        {"on_disconnect": given} if given else {}
    )
    with guarded.http("dave") as http:
        with pytest.raises(httpx.ReadTimeout):
            http.post("/runs/wait", json=body, timeout=2)
        thread = http.post("/threads/search", json={"limit": 1}).json()[0]["thread_id"]
        while (run := http.get(f"/threads/{thread}/runs").json()[0])["status"] in (
            "pending",
            "running",
        ):
            time.sleep(0.2)
    assert run["status"] == ends
