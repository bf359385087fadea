"""The ways through RE-EX's graph, and what local code makes of them."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from errata import acorrect
from errata.core.edits import apply_edits
from errata.graphs.reex import graph
from errata.prompts.library import stem_of, versions
from example import DRAFT, ERROR, PAGE, QUESTION, REPLIES, REQUEST, RESPONSE
from waiting_chat import waiting_chat

pytestmark = pytest.mark.anyio
ALL_REPLIES = REPLIES | {
    "reex/ask": f"{REPLIES['reex/ask']}\n2. What was Marie Curie?",
    "reex/answer": "Marie Curie was born in 1867.",
    "reex/explain.plain": ERROR,
    "reex/revise.answers": RESPONSE,
    "reex/revise.plain": RESPONSE,
    "reex/explain_and_revise": f"{REPLIES['reex/explain']}\n\nRevised Response:\n{RESPONSE}",
    "reex/explain_and_revise.plain": f"Revised Response: {RESPONSE}\nFactual Errors: {ERROR}",
}
WHOLE = {"filter_evidence": False}
ROWS = [
    ({"evidence": "none", "explanation": False}, "revise", 1),
    ({"evidence": "none"}, "explain revise", 2),
    ({"evidence": "internal", "explanation": False}, "ask answer revise", 4),
    ({"evidence": "internal"}, "ask answer explain revise", 5),
    ({"explanation": False, **WHOLE}, "ask answer revise", 2),
    (WHOLE, "ask answer explain revise", 3),
    ({}, "ask answer explain revise", 2),
    ({"steps": 1, **WHOLE}, "ask answer explain_and_revise", 2),
    ({"steps": 1, "evidence": "none"}, "explain_and_revise", 1),
]


async def reex(draft=DRAFT, **settings):
    return await acorrect(QUESTION, draft, "reex", documents=[PAGE], **settings)


@pytest.mark.parametrize(("settings", "steps", "calls"), ROWS)
async def test_each_row_of_table_3_has_its_steps(updates, scripted, settings, steps, calls):
    """Two-step makes three model calls, one-step two; internal evidence one more a question.

    One less where all documents fit. All are asked by the newest prompts.
    """
    context = {"model": scripted(ALL_REPLIES), "guard": False, **settings}
    names = [name for name, _ in await updates(graph, REQUEST, context)]
    ending = ["propose", "review", "report"]
    assert names == ["receive", *steps.split(), *ending]
    correction = await reex(**context)
    assert (correction.usage.model_calls, correction.response) == (calls, RESPONSE)
    assert all(name == versions(stem_of(name))[-1] for name in correction.prompts)
    assert apply_edits(correction.draft, correction.edits) == correction.response


async def test_each_sub_question_is_searched_for(demo):
    correction = await acorrect(QUESTION, DRAFT, "reex", search=demo)
    assert (correction.response, correction.usage.searches) == (RESPONSE, 3)
    assert {document.source for document in correction.documents} == {"web"}


async def test_internal_answers_are_written_at_once():
    roles = {"answer": waiting_chat(ALL_REPLIES, calls=3)}
    correction = await acorrect(QUESTION, DRAFT, "reex", evidence="internal", roles=roles)
    assert correction.response == RESPONSE
    assert {document.source for document in correction.documents} == {"model"}


@pytest.fixture
def past():
    """Runs a draft, edits the state in which a step's update is next, and goes on from there."""

    async def fork(step, edit, as_node, context=None):
        saved = graph.builder.compile(checkpointer=InMemorySaver())
        thread = {"configurable": {"thread_id": "1"}}
        await saved.ainvoke(REQUEST, thread, context=context)
        history = [state async for state in saved.aget_state_history(thread)]
        state = next(state for state in history if {*step.split()} & {*state.next})
        edited = await saved.aupdate_state(state.config, edit, as_node=as_node)
        return await saved.ainvoke(None, edited, context=context)

    return fork


async def test_a_person_may_withdraw_an_explanation_in_the_past_of_a_run(past):
    out = await past("revise", {"explanations": [], "fixes": []}, "explain")
    assert (out["response"], out["label"]) == (DRAFT, "supported")
    assert "refuted" not in {verdict["label"] for verdict in out["verdicts"]}


@pytest.mark.parametrize("settings", [{}, {"evidence": "none"}, {"steps": 1}])
async def test_a_draft_edited_in_the_past_of_a_run_has_claims_of_its_own(past, settings):
    draft = "Marie Curie was a physicist."
    out = await past("ask explain", {"draft": draft}, "receive", settings)
    assert [claim["text"] for claim in out["claims"]] == [out["response"]] == [draft]
    assert [verdict["label"] for verdict in out["verdicts"]] == ["supported"]
