"""The real server with limits: what is written, how much of it, and runs and streams at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from errata.server.settings import ServerSettings, max_runs
from langgraph_server import REQUEST, RUN

pytestmark = pytest.mark.slow


@pytest.fixture
def thread(guarded):
    """A thread of alice's with a run."""
    with guarded.http("alice") as http:
        thread = http.post("/threads", json={}).json()["thread_id"]
        http.post(f"/threads/{thread}/runs/wait", json=RUN)
    return f"/threads/{thread}"


@pytest.mark.parametrize(
    ("name", "fields", "status", "fault"),
    [
        ("alice", {"found": {"hits": [{"url": "http://intranet.example/"}]}}, 403, "found is not"),
        ("alice", {"draft": "x" * 6000}, 413, "characters apart from documents; at most 5000"),
        ("alice", {"draf": "x"}, 422, "a state has no field 'draf'; did you mean 'draft'?"),
        ("root", {"draf": "x"}, 422, "a state has no field 'draf'; did you mean 'draft'?"),
    ],
)
def test_forbidden_writing_is_refused_at_every_door(guarded, thread, name, fields, status, fault):
    step = {"updates": [{"values": fields, "as_node": "receive"}]}
    goto = {"node": "verify", "input": fields}
    with guarded.http(name) as http:
        for path, body in (
            (f"{thread}/state", {"values": fields}),
            (f"{thread}/state", {"values": [fields]}),
            ("/threads", {"supersteps": [step], "metadata": {"graph_id": "rac"}}),
            ("/runs/wait", {**RUN, "input": fields}),
            ("/runs/batch", [RUN, {**RUN, "input": fields}]),
            (f"{thread}/runs/wait", {**RUN, "input": None, "command": {"update": fields}}),
            (f"{thread}/runs/wait", {**RUN, "input": None, "command": {"goto": goto}}),
        ):
            reply = http.post(path, json=body)
            assert (reply.status_code, fault in reply.text) == (status, True), (path, reply.text)
        start = {"method": "run.start", "params": {"assistant_id": "rac", "input": fields}}
        assert fault in http.post(f"{thread}/commands", json={"id": 1, **start}).text


def test_a_state_is_edited_within_the_limits(guarded, thread):
    with guarded.http("alice") as http:
        edited = http.post(f"{thread}/state", json={"values": {"draft": "A fork."}})
        assert edited.status_code == 200
        assert http.get(f"{thread}/state").json()["values"]["draft"] == "A fork."
        command = {"goto": ["report", "report"], "update": {"notes": ["seen"]}}
        reply = http.post(f"{thread}/runs/wait", json={**RUN, "input": None, "command": command})
        assert reply.status_code == 200


def test_too_many_documents_and_a_large_body_are_refused(guarded):
    with guarded.http("alice") as http:
        for documents, fault in (
            ([{"text": "x"}] * 2001, "2001 documents"),
            ([{"text": "x" * 60_000}], "larger than 50000 bytes"),
        ):
            given = {"draft": "x", "documents": documents}
            reply = http.post("/runs/wait", json={**RUN, "input": given})
            assert (reply.status_code, fault in reply.text) == (413, True), reply.text
        pieces = (b"x" * 1000 for _ in range(60))
        assert http.post("/runs/wait", content=pieces).status_code == 413


@pytest.mark.parametrize(
    "body", [b"{", b'{"values": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", b"\xff\xfe", b"[]"]
)
def test_malformed_and_deeply_nested_state_edits_are_refused(guarded, thread, body):
    with guarded.http("alice") as http:
        assert http.post(f"{thread}/state", content=body).status_code == 422


@pytest.mark.parametrize(("name", "judged"), [("alice", 2), ("root", 3)])
def test_a_callers_run_keeps_to_the_operators_bounds(guarded, name, judged):
    draft = "Marie Curie was born in 1865. She was a physicist. She kept bees."
    run = {**RUN, "input": {**REQUEST, "draft": draft}, "context": {"max_judged": 60}}
    with guarded.http(name) as http:
        verdicts = http.post("/runs/wait", json=run).json()["verdicts"]
    assert sum(verdict["label"] != "unchecked" for verdict in verdicts) == judged


@pytest.mark.parametrize(("places", "most"), [(1, 1), (2, 1), (16, 4), (64, 16), (0, 16)])
def test_a_caller_has_a_quarter_of_the_places_at_most(places, most):
    assert max_runs(ServerSettings(), places) == most


def test_a_caller_has_so_many_runs_under_way_and_no_more(guarded):
    body = {**RUN, "assistant_id": guarded.slow, "on_completion": "delete"}

    def status(name):
        with guarded.http(name) as http:
            return http.post("/runs/wait", json=body).status_code

    with ThreadPoolExecutor(12) as pool:
        carols, bobs = pool.map(status, ["carol"] * 10), pool.map(status, ["bob"] * 2)
        assert sorted(carols) == [200] * 3 + [429] * 7
        assert list(bobs) == [200, 200]
    assert status("carol") == 200


def test_few_runs_wait_for_one_thread(guarded):
    with guarded.http("dave") as http, guarded.http("bob") as other:
        thread = http.post("/threads", json={}).json()["thread_id"]
        run = {**RUN, "assistant_id": guarded.slow}
        replies = [http.post(f"/threads/{thread}/runs", json=run) for _ in range(6)]
        codes = [reply.status_code for reply in replies]
        assert codes[:2] == [200, 200]
        assert codes.count(200) <= 3  # one under way, two that wait
        assert "wait for this thread" in replies[-1].text
        assert other.post("/runs/wait", json=RUN).json()["changed"]
        http.delete(f"/threads/{thread}")


@pytest.mark.parametrize(("then", "ends"), [("cancel", "interrupted"), ("continue", "success")])
def test_a_run_ends_when_its_client_leaves(guarded, then, ends):
    given = {} if then == "cancel" else {"on_disconnect": then}
    body = {**RUN, "assistant_id": guarded.slow, "on_completion": "keep", **given}
    with guarded.http("dave") as http:
        with pytest.raises(httpx.ReadTimeout):
            http.post("/runs/wait", json=body, timeout=2)
        thread = http.post("/threads/search", json={"limit": 1}).json()[0]["thread_id"]
        eventually(lambda: http.get(f"/threads/{thread}/runs").json()[0]["status"] == ends)


def test_a_caller_holds_so_many_streams_open_and_no_more(guarded):
    with guarded.http("dave") as dave, guarded.http("bob") as bob, ExitStack() as held:
        threads = [http.post("/threads", json={}).json()["thread_id"] for http in (dave, bob)]
        paths = [f"/threads/{thread}/stream" for thread in threads]
        for _ in range(30):
            assert held.enter_context(dave.stream("GET", paths[0])).status_code == 200
        for path in (paths[0], "/threads/search"):
            refused = dave.post(path, json={})
            assert (refused.status_code, "30 requests open" in refused.text) == (429, True)
        assert held.enter_context(bob.stream("GET", paths[1])).status_code == 200
        assert dave.get("/ok").status_code == 200
    with guarded.http("dave") as dave:
        eventually(lambda: dave.post("/threads/search", json={}).status_code == 200)


def eventually(holds):
    """Wait for what shows a few seconds later at most."""
    for _ in range(100):
        if holds():
            return
        time.sleep(0.1)
    pytest.fail("it did not come about")
