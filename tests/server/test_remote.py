"""A method on a real server as a node here: its reviews, executing it again, its errors."""

import asyncio
import socket
import threading
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command
from pydantic import BaseModel

from errata import remote_step
from errata.core.errors import AccessError, InputError, RemoteError
from errata.core.records import Document
from errata.langchain.remote import ANSWERS

pytestmark = pytest.mark.slow
THREAD = {"configurable": {"thread_id": "1"}}
DRAFT = "Marie Curie was born in 1865. She died in 1936."
PAGE = "Marie Curie (born 7 November 1867, died 4 July 1934) was a Polish physicist."
CORRECTED = "Marie Curie was born in 1867. She died in 1934."
REQUEST = {"question": "Who was Marie Curie?", "draft": DRAFT, "documents": [{"text": PAGE}]}
HITL = {"decisions": [{"type": "approve"}, {"type": "reject"}]}


class Article(TypedDict, total=False):
    question: str
    draft: str
    documents: list[Any]
    messages: Annotated[list[Any], add_messages]
    response: str
    edits: list[Any]


class Page(BaseModel):
    draft: str = ""
    documents: list[Document] = []
    response: str = ""


def parent(node, state=Article):
    return StateGraph(state).add_node("correct", node).add_edge(START, "correct")


def review(url, saver=None, **options):
    node = remote_step("rac", url=url, review="all", **options)
    return parent(node).compile(checkpointer=saver or InMemorySaver())


def ainvoke(graph, value):
    return asyncio.run(graph.ainvoke(value, THREAD))


def invoke(graph, value):
    return graph.invoke(value, THREAD)


@pytest.fixture
def started(client):
    """The runs that a test has started on the server, thread by thread, the newest first."""

    def threads():
        return [each["thread_id"] for each in client.threads.search(limit=1000)]

    before = threads()
    return lambda: [client.runs.list(thread) for thread in threads() if thread not in before]


@pytest.mark.parametrize(
    ("call", "decision", "response"),
    [(invoke, "reject", DRAFT), (ainvoke, HITL, DRAFT.replace("1865", "1867"))],
)
def test_a_review_on_a_server_is_asked_here_and_once(open_url, started, call, decision, response):
    graph = review(open_url)
    [stopped] = call(graph, REQUEST)["__interrupt__"]
    assert [edit["after"] for edit in stopped.value["edits"]] == ["1867", "1934"]
    assert [action["name"] for action in stopped.value["action_requests"]] == ["e1", "e2"]
    assert len(stopped.value["review_configs"]) == 2
    assert stopped.response_schema["anyOf"][1]["required"] == ["e1", "e2"]
    out = call(graph, Command(resume=decision))
    assert "__interrupt__" not in out
    assert out["response"] == response
    [runs] = started()
    assert [run["metadata"][ANSWERS] for run in runs] == [1, 0]


def test_one_review_after_another(open_url, started):
    graph = review(open_url)
    graph.invoke(REQUEST, THREAD)
    faults = []
    for answer in ("what?", {"e1": "accept"}):  # both are asked again
        [stopped] = graph.invoke(Command(resume=answer), THREAD)["__interrupt__"]
        faults.append(stopped.value["fault"].partition(". ")[0])
    assert faults == ["cannot read 'what?'", "without a decision: ['e2']; not under review: []"]
    out = graph.invoke(Command(resume={"e1": "accept", "e2": "reject"}), THREAD)
    assert out["response"] == DRAFT.replace("1865", "1867")
    [runs] = started()
    assert [run["metadata"][ANSWERS] for run in runs] == [3, 2, 1, 0]


def test_two_reviews_in_one_graph_are_two_runs(open_url, started):
    first, second = (remote_step(name, url=open_url, review="all") for name in ("rac", "reex"))
    builder = parent(first).add_node("again", second).add_edge("correct", "again")
    graph = builder.compile(checkpointer=InMemorySaver())
    graph.invoke(REQUEST, THREAD)
    [stopped] = graph.invoke(Command(resume="reject"), THREAD)["__interrupt__"]
    assert stopped.value["draft"] == DRAFT
    assert graph.invoke(Command(resume="accept"), THREAD)["response"] == CORRECTED
    assert [len(runs) for runs in started()] == [2, 2]


class CrashError(Exception):
    pass


class Crashing(InMemorySaver):
    """Keeps what was stored before a crash, and loses the rest."""

    crashed = False

    def put_writes(self, config, writes, task_id, task_path=""):
        if any(channel == "response" for channel, _ in writes) and not self.crashed:
            self.crashed = True
            raise CrashError
        super().put_writes(config, writes, task_id, task_path)


def test_after_a_crash_nothing_is_run_or_asked_again(open_url, started):
    """The server's work is done, and the process ends before the checkpoint says so."""
    graph = review(open_url, Crashing())
    graph.invoke(REQUEST, THREAD)
    with pytest.raises(CrashError):
        graph.invoke(Command(resume="accept"), THREAD)
    assert graph.invoke(None, THREAD)["response"] == CORRECTED
    [runs] = started()
    assert [run["metadata"][ANSWERS] for run in runs] == [1, 0]


def test_a_run_that_takes_too_long_goes_on_and_is_joined(guarded):
    options = {"roles": {"verify": "openai:slow"}, "api_key": guarded.keys["dave"]}
    graph = review(guarded.url, wait_seconds=0.5, **options)
    with pytest.raises(RemoteError, match=r"goes on after 0\.5 s; invoke the graph with None"):
        graph.invoke({"draft": "Marie Curie was born in 1867.", "documents": [PAGE]}, THREAD)
    patient = review(guarded.url, graph.checkpointer, **options)
    assert "response" in patient.invoke(None, THREAD)
    with guarded.client("dave") as dave:
        thread, *_ = dave.threads.search(sort_by="created_at", sort_order="desc")
        assert len(dave.runs.list(thread["thread_id"])) == 1


def test_a_failed_run_says_why_and_is_tried_again(open_url, started):
    graph = parent(remote_step("rac", url=open_url)).compile(checkpointer=InMemorySaver())
    for value in ({"draft": ""}, None):
        with pytest.raises(RemoteError, match=r"rac failed on the server: .*the draft is empty"):
            graph.invoke(value, THREAD)
    [runs] = started()
    assert [(run["status"], run["kwargs"]["input"]) for run in runs] == [
        ("error", None),
        ("error", {}),
    ]


def test_a_run_with_a_wrong_setting_is_not_begun(open_url):
    graph = parent(remote_step("rac", url=open_url, top_k=0)).compile()
    with pytest.raises(RemoteError, match="greater than or equal to 1"):
        graph.invoke({"draft": DRAFT}, THREAD)


def test_its_progress_joins_the_custom_stream(open_url):
    graph = parent(remote_step("rac", url=open_url)).compile()
    events = list(graph.stream(REQUEST, stream_mode="custom"))
    assert {"errata": {"step": "report", "done": 1, "total": 1}} in events


def test_states_of_other_kinds_and_chats_but_no_call_outside_a_graph(open_url):
    node = remote_step("rac", url=open_url)
    page = {"draft": DRAFT, "documents": [Document(text=PAGE)]}
    assert parent(node, Page).compile().invoke(page)["response"] == CORRECTED
    chat = [HumanMessage("Who was Marie Curie?"), AIMessage(DRAFT)]
    out = parent(node).compile().invoke({"messages": chat, "documents": [PAGE]})
    assert [message.content for message in out["messages"]][1:] == [DRAFT, CORRECTED]
    answerer = parent(remote_step("crag", url=open_url)).compile()
    request = {"question": "When was Marie Curie born?", "documents": [PAGE]}
    assert answerer.invoke(request)["response"] == PAGE
    with pytest.raises(InputError, match="add it to a graph"):
        node.invoke(REQUEST)


def test_keys_and_refusals(guarded):
    key = guarded.keys["alice"]
    faults = [
        ({}, AccessError, "refuses this: give a valid key as x-api-key"),
        ({"api_key": key, "corpus": "/etc"}, AccessError, "corpus='/etc' is not yours to set"),
        ({"api_key": key, "assistant": "nope"}, RemoteError, "422: Invalid assistant: 'nope'"),
    ]
    for options, error, message in faults:
        node = remote_step(options.pop("assistant", "rac"), url=guarded.url, **options)
        with pytest.raises(error, match=message):
            parent(node).compile().invoke(REQUEST)
    node = remote_step("rac", url=guarded.url, headers={"authorization": f"Bearer {key}"})
    assert parent(node).compile().invoke(REQUEST)["response"] == CORRECTED


def test_no_key_of_the_environment_is_sent(guarded, monkeypatch):
    monkeypatch.setenv("LANGSMITH_API_KEY", guarded.keys["alice"])
    with pytest.raises(AccessError):
        parent(remote_step("rac", url=guarded.url)).compile().invoke(REQUEST)


def test_a_server_that_hangs_up_is_named():
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"

    def hang_up():
        while True:
            try:
                listener.accept()[0].close()
            except OSError:
                return

    threading.Thread(target=hang_up, daemon=True).start()
    with pytest.raises(RemoteError, match=f"cannot reach {url}: .*; invoke the graph with None"):
        parent(remote_step("rac", url=url)).compile().invoke(REQUEST)
    listener.close()
