"""The real server with limits: the size of a body, the length of a text, runs at once."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed

from langgraph_server import CORRECTED, REQUEST, RUN, start_over_socket

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
                ("/runs/crons", {**RUN, "schedule": "0 0 1 1 *", "input": values}),
            )
            for path, body in attempts:
                response = http.post(path, json=body)
                assert response.status_code == status, (path, response.text)
        assert http.get(state).json()["values"]["draft"] == "A fork."


def test_malformed_and_deeply_nested_state_edits_are_refused(guarded):
    with guarded.http("alice") as http:
        thread = http.post("/threads", json={}).json()["thread_id"]
        for body in (b"{", b'{"values": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", b"\xff\xfe"):
            response = http.post(f"/threads/{thread}/state", content=body)
            assert response.status_code == 422
        assert http.post(f"/threads/{thread}/state", content=b"[]").status_code == 422


def test_web_sockets_keep_to_the_limits_and_the_fence(guarded):
    with guarded.http("alice") as http:
        thread = http.post("/threads", json={}).json()["thread_id"]
    key = {"x-api-key": guarded.keys["alice"]}
    reply = partial(start_over_socket, guarded.url, thread, key)
    assert reply(input=REQUEST)["type"] == "success"
    assert "6000 characters" in reply(input={"draft": "x" * 6000})["message"]
    foreign = {"configurable": {"corpus": "/etc"}}
    assert "not yours" in reply(input=REQUEST, config=foreign)["message"]
    with pytest.raises(ConnectionClosed):
        reply(input={"draft": "x", "documents": [{"text": "x" * 60_000}]})


def test_a_caller_has_so_many_runs_under_way_and_no_more(guarded):
    context = {"roles": {"verify": "openai:slow"}}
    body = {**RUN, "context": context, "on_completion": "delete"}

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


def test_mcp_holds_callers_to_the_same_limits(guarded, mcp_call):
    async def use(client):
        drafts = REQUEST["draft"], "x" * 6000
        return [await client.call_tool("correct", {"draft": draft}) for draft in drafts]

    short, long = mcp_call(guarded.url, use, **{"x-api-key": guarded.keys["alice"]})
    assert short.content[0].text.startswith(CORRECTED)
    assert long.is_error
    assert "6000 characters" in long.content[0].text
