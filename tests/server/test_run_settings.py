"""The settings of runs on the real server: misspelt ones refused, the operator's where none is."""

import json
import time
from uuid import uuid4

import httpx
import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.pregel.remote import RemoteGraph
from typing_extensions import TypedDict
from websockets.sync.client import connect

pytestmark = pytest.mark.slow
REQUEST = {
    "draft": "Marie Curie was born in 1865.",
    "documents": [{"text": "Marie Curie (born 7 November 1867) was a physicist."}],
}
CORRECTED = "Marie Curie was born in 1867."
SENTENCE = "Marie Curie was born on 7 November 1867."
CHAT = {"messages": [{"role": "user", "content": "When was Marie Curie born?"}]}
NEVER = "0 0 1 1 *"
MISSPELT = {"unsuported": "drop"}
FAULT = "rac has no setting 'unsuported'; did you mean 'unsupported'? it has model, roles"
PARTS = [{"context": MISSPELT}, {"config": {"configurable": MISSPELT}}]


def doors(http, part):
    """Every request that starts a run, or sets what a later one starts with."""
    run = {"assistant_id": "rac", "input": REQUEST, **part}
    thread = http.post("/threads", json={}).json()["thread_id"]
    own = {"graph_id": "rac", "name": str(uuid4())}
    assistant = http.post("/assistants", json=own).json()["assistant_id"]
    cron = http.post("/runs/crons", json={**run, "schedule": NEVER, "context": {}, "config": {}})
    cron = f"/runs/crons/{cron.json()['cron_id']}"
    yield from (("POST", path, run) for path in ("/runs", "/runs/wait", "/runs/stream"))
    yield from (("POST", f"/threads/{thread}{path}", run) for path in ("/runs", "/runs/wait"))
    yield "POST", f"/threads/{thread}/runs/stream", run
    yield "POST", "/runs/batch", [run]
    yield "POST", "/runs/crons", {**run, "schedule": NEVER}
    yield "POST", f"/threads/{thread}/runs/crons", {**run, "schedule": NEVER}
    yield "PATCH", cron, part
    yield "POST", "/assistants", {**own, **part}
    yield "PATCH", f"/assistants/{assistant}", part
    for path in (cron, f"/assistants/{assistant}"):
        assert http.delete(path).is_success


@pytest.mark.parametrize("part", PARTS, ids=["context", "configurable"])
@pytest.mark.parametrize("caller", ["local", "alice", "root"])
def test_a_misspelt_setting_is_refused_at_every_door(open_url, guarded, part, caller):
    http = httpx.Client(base_url=open_url) if caller == "local" else guarded.http(caller)
    with http:
        for method, path, body in doors(http, part):
            reply = http.request(method, path, json=body)
            assert (reply.status_code, FAULT in reply.text) == (422, True), (path, reply.text)


def test_a_misspelt_setting_is_refused_over_a_web_socket(client, open_url):
    thread = client.threads.create()["thread_id"]
    config = {"configurable": MISSPELT}
    with connect(f"{open_url.replace('http', 'ws')}/threads/{thread}/stream/events") as socket:
        params = {"assistant_id": "rac", "input": REQUEST, "config": config}
        socket.send(json.dumps({"id": 1, "method": "run.start", "params": params}))
        while (message := json.loads(socket.recv(timeout=10))).get("id") != 1:
            pass
    assert FAULT in message["message"]


def test_a_setting_of_another_method_and_a_long_name_are_refused(client):
    for context in ({"search": "none"}, {"x" * 100_000: 1}):
        with pytest.raises(httpx.HTTPStatusError) as caught:
            client.runs.wait(None, "rac", input=REQUEST, context=context)
        assert caught.value.response.status_code == 422
        assert len(caught.value.response.text) < 1500


def test_what_langgraph_and_its_clients_write_beside_settings_passes(client, open_url):
    thread = client.threads.create()["thread_id"]
    known = ("thread_id", "checkpoint_ns", "checkpoint_id", "user_id", "run_id", "graph_id")
    own = {name: "" for name in known if name != "checkpoint_id"}
    headers = {"x-tenant": "a", "langsmith-trace": "b", "user-agent": "c"}
    body = {
        "assistant_id": "rac",
        "input": REQUEST,
        "config": {"configurable": {**own, "thread_id": thread, "__own": 1, "unsupported": "drop"}},
    }
    reply = httpx.post(f"{open_url}/threads/{thread}/runs/wait", json=body, headers=headers)
    assert reply.json()["response"] == CORRECTED


def test_a_remote_graph_inside_a_graph_with_a_thread_runs(client):
    class State(TypedDict):
        response: str

    remote = RemoteGraph("rac", sync_client=client)
    parent = StateGraph(State)
    parent.add_node(
        "correct", lambda _, config: {"response": remote.invoke(REQUEST, config)["response"]}
    )
    graph = parent.add_edge(START, "correct").add_edge("correct", END).compile()
    out = graph.invoke({"response": ""}, {"configurable": {"thread_id": str(uuid4())}})
    assert out["response"] == CORRECTED


def test_a_run_that_names_no_corpus_has_the_operators(guarded):
    with guarded.client("alice") as alice:
        ask = {"assistant_id": "crag", "input": CHAT}
        thread = alice.threads.create()["thread_id"]
        assert alice.runs.wait(None, **ask)["response"] == SENTENCE
        assert alice.runs.wait(thread, **ask)["messages"][-1]["content"] == SENTENCE
        assert alice.runs.wait(thread, **ask)["response"] == SENTENCE
        own = alice.assistants.create("crag", context={"top_k": 1})["assistant_id"]
        assert alice.runs.wait(None, own, input=CHAT)["response"] == SENTENCE
        alice.assistants.delete(own)
        out = alice.runs.wait(None, "rac", input={"draft": REQUEST["draft"]})
        assert out["response"] == CORRECTED


def test_a_run_may_choose_no_corpus(guarded):
    none = {"context": {"corpus": ""}}
    with guarded.client("alice") as alice:
        assert not alice.runs.wait(None, "crag", input=CHAT, **none)["documents"]
        own = alice.assistants.create("crag", **none)["assistant_id"]
        assert not alice.runs.wait(None, own, input=CHAT)["documents"]
        out = alice.runs.wait(None, own, input=CHAT, context={"corpus": guarded.corpus})
        assert out["response"] == SENTENCE
        alice.assistants.delete(own)


def test_a_cron_has_the_operators_corpus_and_its_owners_rights(guarded):
    with guarded.client("alice") as alice:
        assert run_cron(alice) == SENTENCE


def test_a_cron_on_a_server_without_keys_may_do_what_its_owner_may(client, demo):
    folder = demo.removeprefix("corpus:")
    question = {"question": "When was the Eiffel Tower opened?"}
    assert "1889" in run_cron(client, question, context={"corpus": folder})


def run_cron(client, request=CHAT, **settings):
    """The response of a run of CRAG that a cron starts within a few seconds."""
    thread = client.threads.create()["thread_id"]
    schedule = {"schedule": "*/1 * * * * *", "input": request, **settings}
    cron = client.crons.create_for_thread(thread, "crag", **schedule)["cron_id"]
    try:
        for _ in range(60):
            values = client.threads.get_state(thread)["values"] or {}
            if values.get("response"):
                return values["response"]
            time.sleep(0.25)
    finally:
        client.crons.delete(cron)
    return pytest.fail("the cron started no run")
