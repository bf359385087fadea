"""Methods in chains, as tools, inside graphs of the user's own."""

import asyncio
from importlib import import_module
from typing import Any, TypedDict

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from errata import Answer, Correction, answerer, correct, corrector, tool
from errata.errors import InputError, SettingError

PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
FOUND = [Document(PAGE, metadata={"title": "Marie Curie", "source": "https://x.org/curie"})]
DRAFT = "Marie Curie was born in 1865."
MENDED = "Marie Curie was born in 1867."
QUESTION = "Who was Marie Curie?"

INPUTS = [
    {"question": QUESTION, "draft": DRAFT, "documents": [PAGE]},
    {"input": QUESTION, "answer": DRAFT, "context": FOUND},
    {"query": QUESTION, "result": AIMessage(DRAFT), "source_documents": FOUND},
    {
        "messages": [
            HumanMessage(QUESTION),
            ToolMessage(PAGE, tool_call_id="1"),
            AIMessage(DRAFT),
        ]
    },
]


@pytest.mark.parametrize("given", INPUTS, ids=["ours", "chain", "qa", "agent"])
def test_a_corrector_reads_what_chains_and_agents_hand_on(given):
    correction = corrector().invoke(given)
    assert isinstance(correction, Correction)
    assert (correction.response, correction.draft) == (MENDED, DRAFT)
    assert asyncio.run(corrector().ainvoke(given)).response == MENDED


@pytest.mark.parametrize("given", [DRAFT, AIMessage(DRAFT)])
@pytest.mark.parametrize("method", ["rac", "reex"])
def test_a_text_is_corrected_by_what_is_bound(given, method):
    bound = corrector(method, documents=FOUND)
    assert bound.invoke(given).response == MENDED
    assert [each.response for each in bound.batch([given] * 2)] == [MENDED] * 2


class Trace(BaseCallbackHandler):
    """Keep the name of every run and of the run it is part of."""

    def __init__(self):
        self.ids, self.named = {}, {}

    def on_chain_start(self, _, __, *, run_id, parent_run_id=None, name=None, **___):
        self.ids[run_id] = name
        self.named[name] = self.ids.get(parent_run_id)


def test_it_stands_in_a_chain_and_its_runs_are_named():
    chain = (
        RunnablePassthrough.assign(context=RunnableLambda(lambda _: FOUND))
        | RunnablePassthrough.assign(answer=RunnableLambda(lambda _: DRAFT))
        | corrector()
        | RunnableLambda(lambda correction: correction.response)
    )
    trace = Trace()
    assert chain.invoke({"input": QUESTION}, {"callbacks": [trace]}) == MENDED
    assert trace.named["RAC"] == "errata.rac"
    steps = [name for name, parent in trace.named.items() if parent == "RAC"]
    assert steps[:4] == ["receive", "retrieve", "extract", "verify"]


def test_an_answerer_answers():
    found = answerer(documents=FOUND).invoke("When was Marie Curie born?")
    assert isinstance(found, Answer)
    assert found.response == PAGE
    assert found.documents[0].url == "https://x.org/curie"
    asked = {"question": "When was Marie Curie born?", "documents": [PAGE]}
    assert asyncio.run(answerer().ainvoke(asked)).action == "correct"


@pytest.mark.parametrize("given", [7, {}, {"context": FOUND}, {"draft": ""}])
def test_what_holds_no_text_is_refused(given):
    with pytest.raises(InputError):
        corrector().invoke(given)


@pytest.mark.parametrize("make", [corrector, answerer, tool])
def test_wrong_settings_are_refused_at_once(make):
    with pytest.raises(SettingError):
        make(speed=1)


ARGUMENTS = {"draft": DRAFT, "question": QUESTION, "documents": [PAGE]}


@pytest.mark.parametrize(
    ("verb", "arguments", "begins", "kind"),
    [
        ("correct", ARGUMENTS, f"{MENDED}\n\nChanged: '1865' to '1867'", Correction),
        ("check", ARGUMENTS, "The draft is refuted.\n\nRefuted: Marie Curie was", Correction),
        ("answer", {"question": "When was Marie Curie born?", "documents": [PAGE]}, PAGE, Answer),
    ],
)
def test_tools_tell_text_and_keep_the_record(verb, arguments, begins, kind):
    made = tool(verb)
    call = {"name": verb, "type": "tool_call", "id": "1", "args": arguments}
    for message in (made.invoke(call), asyncio.run(made.ainvoke(call))):
        assert message.content.startswith(begins)
        assert isinstance(message.artifact, kind)
    assert made.name == verb
    assert made.description
    assert all(field["description"] for field in made.args.values())


def test_a_tools_failure_is_told_to_the_agent():
    call = {"name": "correct", "type": "tool_call", "id": "1", "args": {"draft": " "}}
    for message in (tool().invoke(call), asyncio.run(tool().ainvoke(call))):
        assert message.status == "error"
        assert "draft is empty" in message.content


class Article(TypedDict, total=False):
    question: str
    draft: str
    documents: list[dict[str, Any]]
    response: str


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_a_graph_is_a_node_of_another(method):
    graph = import_module(f"errata.graphs.{method}").graph
    app = StateGraph(Article).add_node("check", graph).add_edge(START, "check").compile()
    request = {"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]}
    assert asyncio.run(app.ainvoke(request))["response"] == MENDED


def test_a_call_inside_a_node_leaves_the_callers_checkpointer_alone():
    def node(state):
        return {"response": correct(QUESTION, state["draft"], documents=FOUND).response}

    thread = {"configurable": {"thread_id": "1"}}
    with SqliteSaver.from_conn_string(":memory:") as saver:
        app = StateGraph(Article).add_node(node).add_edge(START, "node").compile(saver)
        assert app.invoke({"draft": DRAFT}, thread)["response"] == MENDED
        assert {found.config["configurable"]["checkpoint_ns"] for found in saver.list(thread)} == {
            ""
        }
