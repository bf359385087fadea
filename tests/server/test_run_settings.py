"""The settings of runs on the real server: misspelt ones refused, the operator's where none is."""

import time
from uuid import uuid4

import httpx
import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.pregel.remote import RemoteGraph
from typing_extensions import TypedDict

from example import CORRECTED_CLAIM
from langgraph_server import REQUEST, RUN

pytestmark = pytest.mark.slow
SENTENCE = "Marie Curie was born on 7 November 1867."
CHAT = {"messages": [{"role": "user", "content": "When was Marie Curie born?"}]}
NO_ANSWER = "No answer found."
MISSPELT = {"unsuported": "drop"}
KEPT = {"call_cache": "calls.sqlite", "timeout": 1}
OTHERS = {"roles": {"verify": {"base_url": "http://10.0.0.1"}}}
FAULT = "rac has no setting 'unsuported'; did you mean 'unsupported'? docs/settings.md lists all"


def doors(http, settings):
    """Every request that starts a run with these settings, or sets what a later one starts with."""
    thread = http.post("/threads", json={}).json()["thread_id"]
    own = {"graph_id": "rac", "name": str(uuid4())}
    assistant = http.post("/assistants", json=own).json()["assistant_id"]
    for part in ({"context": settings}, {"config": {"configurable": settings}}):
        run = {**RUN, **part}
        for path in ("/runs", "/runs/wait", "/runs/stream"):
            yield "POST", path, run
            yield "POST", f"/threads/{thread}{path}", run
        yield "POST", "/runs/batch", [run]
        yield "POST", "/assistants", {**own, **part}
        yield "PATCH", f"/assistants/{assistant}", part
    yield "POST", f"/threads/{thread}/runs/wait", {**RUN, "checkpoint": settings}
    assert http.delete(f"/assistants/{assistant}").is_success


@pytest.mark.parametrize(
    ("caller", "settings", "status", "fault"),
    [
        ("local", MISSPELT, 422, FAULT),
        ("carol", KEPT, 422, "call_cache, timeout: the operator's to set, by ERRATA_CALL_CACHE"),
        ("root", KEPT, 422, "the operator's to set"),
        ("carol", {"top_k": 0}, 422, "top_k must be greater than or equal to 1; got top_k=0"),
        ("root", MISSPELT, 422, FAULT),
        ("carol", OTHERS, 403, "not yours to set"),
    ],
)
def test_forbidden_settings_are_refused(open_url, guarded, caller, settings, status, fault):
    local = httpx.Client(base_url=open_url, timeout=30)
    with local if caller == "local" else guarded.http(caller) as http:
        for method, path, body in doors(http, settings):
            reply = http.request(method, path, json=body)
            assert (reply.status_code, fault in reply.text) == (status, True), (path, reply.text)


@pytest.mark.parametrize("context", [{"evaluation": "direct"}, {"x" * 100_000: 1}])
def test_a_setting_of_another_method_and_a_long_name_are_refused(client, context):
    with pytest.raises(httpx.HTTPStatusError) as caught:
        client.runs.wait(None, "rac", input=REQUEST, context=context)
    assert caught.value.response.status_code == 422
    assert len(caught.value.response.text) < 1500


def test_what_langgraph_and_its_clients_write_beside_settings_passes(client):
    thread = client.threads.create()["thread_id"]
    own = dict.fromkeys(("checkpoint_ns", "user_id", "run_id", "graph_id"), "")
    own |= {"thread_id": thread, "__own": 1, "unsupported": "drop"}
    headers = {"x-tenant": "a", "langsmith-trace": "b", "user-agent": "c"}
    run = {"input": REQUEST, "config": {"configurable": own}, "headers": headers}
    assert client.runs.wait(thread, "rac", **run)["response"] == CORRECTED_CLAIM


def test_a_remote_graph_inside_a_graph_with_a_thread_runs(client):
    class State(TypedDict):
        response: str

    def correct(_, config):
        return {"response": remote.invoke(REQUEST, config)["response"]}

    remote = RemoteGraph("rac", sync_client=client)
    parent = StateGraph(State).add_node(correct)
    graph = parent.add_edge(START, "correct").add_edge("correct", END).compile()
    out = graph.invoke({"response": ""}, {"configurable": {"thread_id": str(uuid4())}})
    assert out["response"] == CORRECTED_CLAIM


def test_a_run_that_names_no_corpus_has_the_operators(guarded):
    own = {"corpus": guarded.corpus, "model": "local", "check_only": True, "max_seconds": 5}
    with guarded.client("alice") as alice:
        for context in ({}, own):
            out = alice.runs.wait(None, "rac", input={"draft": REQUEST["draft"]}, context=context)
            assert (out["label"], "documents" in out) == ("refuted", False)
        thread = alice.threads.create()["thread_id"]
        for where in (thread, thread):
            out = alice.runs.wait(where, "crag", input=CHAT)
            assert out["messages"][-1]["content"] == SENTENCE


def test_an_assistant_and_a_run_may_choose_a_corpus_or_none(guarded):
    with guarded.client("alice") as alice:
        for chosen, context, response in (
            ({"top_k": 1}, {}, SENTENCE),
            ({"corpus": ""}, {}, NO_ANSWER),
            ({"corpus": ""}, {"corpus": guarded.corpus}, SENTENCE),
            ({"top_k": 1}, {"corpus": ""}, NO_ANSWER),
        ):
            assistant = alice.assistants.create("crag", context=chosen)["assistant_id"]
            out = alice.runs.wait(None, assistant, input=CHAT, context=context)
            assert out["response"] == response
            alice.assistants.delete(assistant)


def test_a_cron_of_a_server_without_keys_may_name_any_folder(client, demo):
    thread = client.threads.create()["thread_id"]
    request = {"question": "When was the Eiffel Tower opened?"}
    context = {"corpus": demo.removeprefix("corpus:")}
    every = {"schedule": "*/1 * * * * *", "input": request, "context": context}
    cron = client.crons.create_for_thread(thread, "crag", **every)["cron_id"]
    for _ in range(120):
        values = client.threads.get_state(thread)["values"] or {}
        if values.get("response"):
            break
        time.sleep(0.25)
    client.crons.delete(cron)
    assert "1889" in values["response"]
