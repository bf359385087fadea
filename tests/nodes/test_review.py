"""Review: which edits wait for a person, what a decision does, what survives a restart."""

import asyncio

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command

from errata.core.records import Edit, Verdict
from errata.methods import METHODS
from errata.nodes.review import edits_to_review
from errata.nodes.state import RevisionContext
from example import CORRECTING, QUESTION

REQUEST = {
    "question": QUESTION,
    "draft": "Marie Curie was born in 1865. She died in 1936. She was Polish.",
    "documents": [{"text": "Marie Curie (7 November 1867 – 4 July 1934) was a Polish physicist."}],
}
RESPONSE = "Marie Curie was born in 1867. She died in 1934. She was Polish."
REVISING = [name for name in CORRECTING if METHODS[name].revises]
APPROVED, SILENT = {"type": "approve"}, {"type": "reject"}
REJECTED = SILENT | {"message": "no"}
EDITED = {"type": "edit", "edited_action": {"name": "e1", "args": {"after": "circa 1867"}}}
THREAD = {"configurable": {"thread_id": "1"}}
EDITS = [Edit(start=n, end=n + 1, before="a", after="b", claims=(f"c{n}",)) for n in (1, 2, 3, 4)]
SCORED = (("refuted", 0.02), ("refuted", 0.4), ("refuted", None), ("not_mentioned", 0.05))
VERDICTS = [
    Verdict(claim=f"c{n}", label=label, score=score) for n, (label, score) in enumerate(SCORED, 1)
]


@pytest.mark.parametrize(
    ("review", "below", "names"),
    [
        ("none", 0.9, ""),
        ("all", 0.9, "e1 e2 e3 e4"),
        ("refuted", 0.9, "e1 e2 e3"),
        ("low_confidence", 0.9, "e2 e3"),
        ("low_confidence", 0.99, "e1 e2 e3 e4"),
        ("low_confidence", 0.0, "e3"),
    ],
)
def test_the_setting_says_which_edits_wait(review, below, names):
    context = RevisionContext(review=review, review_below=below)
    assert list(edits_to_review(EDITS, VERDICTS, context)) == names.split()


def stopped_run(method="rac", **request):
    """A graph with a checkpointer, and the output of a run on it that reviews all edits."""
    graph = METHODS[method].graph.builder.compile(checkpointer=InMemorySaver(), name=method)
    out = asyncio.run(graph.ainvoke(REQUEST | request, THREAD, context={"review": "all"}))
    return graph, out


def resumed(graph, decision, context=None):
    return asyncio.run(graph.ainvoke(Command(resume=decision), THREAD, context=context))


@pytest.mark.parametrize("method", REVISING)
def test_what_waits_says_what_it_is_and_how_to_decide(method):
    _, out = stopped_run(method)
    [waiting] = out["__interrupt__"]
    assert [edit["before"] for edit in waiting.value["edits"]] == ["1865", "1936"]
    assert all(edit["claims"][0]["label"] == "refuted" for edit in waiting.value["edits"])
    assert waiting.response_schema["anyOf"][1]["required"] == ["e1", "e2"]
    actions = waiting.value["action_requests"]
    assert [action["args"] for action in actions] == [{"after": "1867"}, {"after": "1934"}]
    configs = waiting.value["review_configs"]
    assert [c["action_name"] for c in configs] == [action["name"] for action in actions]


@pytest.mark.parametrize("context", [None, {}, {"review": "none"}, {"check_only": False}])
@pytest.mark.parametrize(
    ("decision", "response"),
    [
        ("accept", RESPONSE),
        ("reject", REQUEST["draft"]),
        ({"e1": "reject", "e2": "accept"}, RESPONSE.replace("1867", "1865")),
        ({"e1": {"replace": "circa 1867"}, "e2": "accept"}, RESPONSE.replace("1867", "circa 1867")),
        ({"decisions": [APPROVED] * 2}, RESPONSE),
        ({"decisions": [REJECTED, APPROVED]}, RESPONSE.replace("1867", "1865")),
        ({"decisions": [EDITED, SILENT]}, REQUEST["draft"].replace("1865", "circa 1867")),
    ],
)
def test_a_decision_holds_whatever_context_resumes_the_run(context, decision, response):
    """In our own form, or in that of LangChain's human-in-the-loop clients."""
    graph, _ = stopped_run()
    assert graph.get_state(THREAD).values["under_review"] == {"e1": "all", "e2": "all"}
    out = resumed(graph, decision, context)
    assert (out["response"], out["messages"][-1].content) == (response, response)
    assert bool(out["notes"]) == (response != RESPONSE)


HALF, NONE = {"e1": "accept"}, {"e1": "maybe", "e2": {}}
OTHERS = [[], [APPROVED], [{"type": "respond"}] * 2, "ok"]


@pytest.mark.parametrize(
    "answer", [7, "yes", ["accept"], HALF, NONE, *({"decisions": each} for each in OTHERS)]
)
def test_an_unclear_decision_is_asked_about_again_with_help(answer):
    graph, _ = stopped_run()
    fault = resumed(graph, answer)["__interrupt__"][0].value["fault"]
    assert fault.startswith(("cannot read", "without a decision: ['e2']"))
    assert "Resume with" in fault


@pytest.mark.parametrize("method", REVISING)
def test_a_run_without_edits_does_not_wait(method):
    _, out = stopped_run(method, draft="Marie Curie was Polish.")
    assert "__interrupt__" not in out
    assert out["changed"] is False


def test_a_review_survives_a_restart(tmp_path):
    """Its store is closed and opened again; `test_checkpoints.py` kills a process."""

    async def run(value):
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "runs.sqlite")) as saver:
            graph = METHODS["rac"].graph.builder.compile(checkpointer=saver)
            return await graph.ainvoke(value, THREAD, context={"review": "all"})

    assert asyncio.run(run(REQUEST))["__interrupt__"][0].value["kind"] == "review"
    assert asyncio.run(run(Command(resume="accept")))["response"] == RESPONSE
