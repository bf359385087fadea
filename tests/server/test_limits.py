"""The real server with limits: the size of a body, the length of a text, runs at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import pytest
from httpx import HTTPStatusError

from langgraph_server import REQUEST, RUN

pytestmark = pytest.mark.slow


def test_a_long_draft_and_a_large_body_are_refused(guarded):
    with guarded.http("alice") as http:
        for given, fault in (
            ({"draft": "x" * 6000}, "6000 characters"),
            ({"messages": [{"role": "user", "content": "x" * 6000}]}, "6004 characters"),
            ({"draft": "x", "documents": [{"text": "x"}] * 2001}, "2001 documents"),
            ({"draft": "x", "documents": [{"text": "x" * 60_000}]}, "larger than 50000 bytes"),
        ):
            reply = http.post("/runs/wait", json={**RUN, "input": given})
            assert (reply.status_code, fault in reply.text) == (413, True), reply.text
        pieces = (b"x" * 1000 for _ in range(60))
        assert http.post("/runs/wait", content=pieces).status_code == 413


def test_state_edits_keep_to_the_limits_and_the_fence(guarded):
    hits = {"found": {"hits": [{"url": "http://intranet.example/"}]}}
    long = {"draft": "x" * 6000}
    with guarded.http("alice") as http:
        thread = http.post("/threads", json={}).json()["thread_id"]
        http.post(f"/threads/{thread}/runs/wait", json=RUN)
        state = f"/threads/{thread}/state"
        assert http.post(state, json={"values": {"draft": "A fork."}}).status_code == 200
        assert http.get(state).json()["values"]["draft"] == "A fork."
        for values, status in ((long, 413), (hits, 403)):
            step = {"updates": [{"values": values, "as_node": "receive"}]}
            runs = (
                {**RUN, "input": None, "command": {"update": values}},
                {**RUN, "input": None, "command": {"goto": {"node": "verify", "input": values}}},
            )
            attempts = (
                (state, {"values": values}),
                (state, {"values": [values]}),
                ("/threads", {"supersteps": [step], "metadata": {"graph_id": "rac"}}),
                *((f"/threads/{thread}/runs/wait", run) for run in runs),
            )
            for path, body in attempts:
                response = http.post(path, json=body)
                assert response.status_code == status, (path, response.text)
        assert http.get(state).json()["values"]["draft"] == "A fork."


@pytest.mark.parametrize("name", ["alice", "root"])
def test_a_field_that_no_state_has_is_refused_wherever_one_is_written(guarded, name):
    fields = {"draf": "x"}
    with guarded.client(name) as client:
        thread = client.threads.create()["thread_id"]
        client.runs.wait(thread, "rac", input=REQUEST)
        step = {"values": fields, "as_node": "receive"}
        fresh = partial(client.threads.create, graph_id="rac")
        run = partial(client.runs.wait, thread, "rac")
        for attempt in (
            lambda: client.threads.update_state(thread, fields),
            lambda: client.threads.update_state(thread, [fields]),
            lambda: fresh(supersteps=[{"updates": [step]}]),
            lambda: run(input=fields),
            lambda: run(command={"update": fields}),
            lambda: run(command={"update": [["draf", "x"]]}),
            lambda: run(command={"goto": {"node": "verify", "input": fields}}),
        ):
            with pytest.raises(HTTPStatusError) as caught:
                attempt()
            refused = caught.value.response
            fault = "a state has no field 'draf'; did you mean 'draft'?"
            assert (refused.status_code, fault in refused.text) == (422, True)
        run(command={"goto": ["report", "report"], "update": {"notes": ["seen"]}})


def test_malformed_and_deeply_nested_state_edits_are_refused(guarded):
    with guarded.http("alice") as http:
        thread = http.post("/threads", json={}).json()["thread_id"]
        for body in (b"{", b'{"values": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", b"\xff\xfe"):
            response = http.post(f"/threads/{thread}/state", content=body)
            assert response.status_code == 422
        assert http.post(f"/threads/{thread}/state", content=b"[]").status_code == 422


def test_a_caller_has_so_many_runs_under_way_and_no_more(guarded):
    body = {**RUN, "assistant_id": guarded.slow, "on_completion": "delete"}

    def status(name):
        with guarded.http(name) as http:
            return http.post("/runs/wait", json=body).status_code

    with ThreadPoolExecutor(12) as pool:
        carols = pool.map(status, ["carol"] * 10)
        bobs = pool.map(status, ["bob"] * 2)
        codes = sorted(carols)
        assert list(bobs) == [200, 200]
    assert set(codes) == {200, 429}
    assert codes.count(200) == 3
    assert status("carol") == 200


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
