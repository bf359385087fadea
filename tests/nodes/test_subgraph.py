"""Steps without a graph, and the methods' graphs inside a graph of the caller's."""

import asyncio
from operator import add
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.documents import Document
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime

from errata.core.limits import Run, open_run, report_progress
from errata.core.records import Document as Record
from errata.graphs import crag, errata, rac, reex
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.rac.verify import verify
from example import BIRTH_QUESTION, CLAIMS, DRAFT, LABELS, PAGE, RESPONSE, claims_of, pages_of

LANGCHAINS = Document(page_content=PAGE, metadata={"title": "Marie Curie", "source": "shelf"})
GIVEN = {
    "text": PAGE,
    "LangChain's": LANGCHAINS,
    "LangChain's as JSON": LANGCHAINS.model_dump(),
    "record": Record(text=PAGE),
    "JSON": {"text": PAGE},
}
THREAD = {"configurable": {"thread_id": "1"}}


class Shared(TypedDict, total=False):
    """A parent with the names of the methods."""

    question: str
    draft: str
    documents: list[Any]
    response: str


@pytest.mark.parametrize("document", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("method", [rac, reex, errata], ids=lambda own: own.method.name)
def test_a_graph_takes_documents_in_any_form_in_a_loop_and_outside(method, document):
    parent = StateGraph(Shared).add_node("errata", method.graph).add_edge(START, "errata")
    graph = parent.compile(checkpointer=InMemorySaver())
    request = {"draft": DRAFT, "documents": [document]}
    assert graph.invoke(request, THREAD)["response"] == RESPONSE
    assert asyncio.run(graph.ainvoke(request, THREAD))["response"] == RESPONSE


def keep_longest(left: list[Any], right: list[Any]) -> list[Any]:
    """A reducer of the caller's own."""
    return left if len(left) > len(right) else right


@pytest.mark.parametrize("reducer", [add, keep_longest], ids=lambda own: own.__name__)
@pytest.mark.parametrize("method", [rac, reex, crag], ids=lambda own: own.method.name)
def test_a_loop_through_a_graph_leaves_the_documents_as_they_were(method, reducer):
    class State(TypedDict, total=False):
        question: str
        draft: str
        documents: Annotated[list[Any], reducer]
        notes: Annotated[list[Any], add]
        n: int

    pages = [Document(PAGE, metadata={"n": n}) for n in range(4)]

    def fetch(state):
        n = state.get("n", 0)
        return {"documents": pages[n : n + 1] if reducer is add else pages[: n + 1], "n": n + 1}

    graph = StateGraph(State).add_node(fetch).add_node("errata", method.graph)
    graph.add_edge(START, "fetch").add_edge("fetch", "errata")
    graph.add_conditional_edges("errata", lambda s: "fetch" if s["n"] < 4 else "__end__")
    out = graph.compile().invoke({"question": BIRTH_QUESTION, "draft": DRAFT})
    assert out["documents"] == pages


def test_a_graph_runs_inside_a_running_loop_and_its_threads():
    request = {"draft": DRAFT, "documents": [PAGE]}

    async def run():
        here = rac.graph.invoke(request)
        there = await asyncio.to_thread(rac.graph.invoke, request)
        return here["response"], there["response"]

    assert asyncio.run(run()) == (RESPONSE, RESPONSE)


class Own(TypedDict, total=False):
    """A parent with names of its own."""

    essay: str
    pages: list[Document]
    mended: str
    log: Annotated[list[str], add]


def mend(state: Own) -> Own:
    """A node that calls the sub-graph by the names that it takes."""
    result = rac.graph.invoke({"draft": state["essay"], "documents": state["pages"]})
    return {"mended": result["response"], "log": [result["label"]]}


def test_a_parent_with_other_names_calls_it_and_streams_its_steps():
    graph = StateGraph(Own).add_node("mend", mend).add_edge(START, "mend").compile()
    request = {"essay": DRAFT, "pages": [LANGCHAINS]}
    parts = list(graph.stream(request, stream_mode=["updates", "custom"], subgraphs=True))
    updates = [part for path, mode, part in parts if mode == "updates" and not path]
    assert updates == [{"mend": {"mended": RESPONSE, "log": ["refuted"]}}]
    inner = {name for path, mode, part in parts if mode == "updates" and path for name in part}
    told = {part["errata"]["step"] for _, mode, part in parts if mode == "custom"}
    assert {"receive", "verify", "report"} <= inner
    assert {"verify", "report"} <= told


def test_a_step_is_a_function_that_needs_no_graph():
    state = Rac(claims=claims_of(*CLAIMS), documents=pages_of(PAGE))
    update = asyncio.run(verify(state, Runtime(context=RacContext())))
    assert [verdict.label for verdict in update["verdicts"]] == LABELS


def test_each_step_adds_its_time():
    usage = rac.graph.invoke({"draft": DRAFT, "documents": [PAGE]})["usage"]
    assert {"receive", "verify", "report"} <= usage["by_role"].keys()
    seconds = [share["seconds"] for share in usage["by_role"].values()]
    assert usage["seconds"] == pytest.approx(sum(seconds))


@pytest.mark.parametrize(
    ("reported", "told"),
    [
        ([(1, 2), (2, 2), (1, 2)], [(1, 2), (2, 2)]),
        ([(4, 4), (0, 6), (5, 6), (6, 6)], [(4, 4), (6, 6)]),
        ([(2, 3), (2, 4), (3, 4), (1, 1)], [(2, 3), (3, 4)]),
    ],
)
def test_progress_never_goes_backwards(reported, told):
    seen = []
    with open_run(Run(tell=lambda *each: seen.append(each))):
        for each in reported:
            report_progress(*each)
    assert seen == told
