"""The real server: what one caller starts and leaves keeps nobody else waiting."""

import time

import httpx
import pytest

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings, check_places, max_runs
from langgraph_server import RUN

pytestmark = pytest.mark.slow
SLOW = {**RUN, "context": {"roles": {"verify": "openai:slow"}}}
YEARLY = {**RUN, "schedule": "0 0 1 1 *"}


@pytest.mark.parametrize(
    ("places", "most"), [(1, 1), (2, 1), (16, 4), (64, 16), (1000, 16), (0, 16)]
)
def test_a_caller_has_a_quarter_of_the_places_at_most(places, most):
    assert max_runs(ServerSettings(), places) == most
    if 0 < places < 64:
        with pytest.raises(
            SettingError, match=f"{places} places? for runs, so each caller has {most}"
        ):
            check_places(ServerSettings(), places)


def test_a_caller_has_so_many_crons_and_no_more(guarded):
    with guarded.http("dave") as http, guarded.http("bob") as other:
        replies = [http.post("/runs/crons", json=YEARLY) for _ in range(5)]
        assert [reply.status_code for reply in replies] == [200, 200, 200, 429, 429]
        assert replies[-1].headers["retry-after"] == "1"
        assert other.post("/runs/crons", json=YEARLY).status_code == 200
        http.delete(f"/runs/crons/{replies[0].json()['cron_id']}")
        assert http.post("/runs/crons", json=YEARLY).status_code == 200
        for cron in http.post("/runs/crons/search", json={}).json():
            http.delete(f"/runs/crons/{cron['cron_id']}")


def test_few_runs_wait_for_one_thread(guarded):
    with guarded.http("dave") as http, guarded.http("bob") as other:
        thread = http.post("/threads", json={}).json()["thread_id"]
        replies = [http.post(f"/threads/{thread}/runs", json=SLOW) for _ in range(6)]
        codes = [reply.status_code for reply in replies]
        assert codes[:2] == [200, 200]
        assert codes.count(200) <= 3  # one under way, two that wait
        assert "wait for this thread" in replies[-1].text
        assert other.post("/runs/wait", json=RUN).json()["changed"]
        http.delete(f"/threads/{thread}")


@pytest.mark.parametrize(("given", "ends"), [({}, "interrupted"), ("continue", "success")])
def test_a_run_ends_when_its_client_leaves(guarded, given, ends):
    body = {**SLOW, "on_completion": "keep"} | ({"on_disconnect": given} if given else {})
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
