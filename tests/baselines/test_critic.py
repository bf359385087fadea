"""CRITIC with scripted models in its roles and with local code: its rounds and searches."""

from itertools import product

import pytest

from errata import acorrect
from errata.evals.baselines.critic import graph
from example import DRAFT, ERROR, PAGE, QUESTION, REPLIES, REQUEST, RESPONSE

pytestmark = pytest.mark.anyio
VERIFY, CHECK, CORRECT = "critic/verify.answer", "critic/verify", "critic/correct"
WRONG = f"It is plausible.\nProblems:\n{ERROR}"
MENDED = f"{WRONG}\nAnswer: {RESPONSE}"
RIGHT = "It is plausible.\nProblems: none"
LABELS = ["refuted", "supported", "not_mentioned"]


async def critic(draft=DRAFT, documents=(PAGE,), **settings):
    return await acorrect(QUESTION, draft, "critic", documents=documents, **settings)


@pytest.mark.parametrize(
    ("replies", "settings", "steps"),
    [
        ([RIGHT], {}, ["verify"]),
        ([MENDED, RIGHT], {}, ["verify", "correct", "verify"]),
        ([MENDED] * 2, {}, ["verify", "correct"] * 2),
        ([MENDED] * 3, {"stable_rounds": 2}, ["verify", "correct"] * 3),
        ([MENDED], {"rounds": 1}, ["verify", "correct"]),
        ([f"{WRONG}\nAnswer: {DRAFT}"], {}, ["verify", "correct"]),
        ([WRONG], {"check_only": True}, ["verify"]),
    ],
)
async def test_rounds_end_where_nothing_changes(updates, scripted, replies, settings, steps):
    context = {"model": scripted({VERIFY: replies, CHECK: replies}), **settings}
    names = [name for name, _ in await updates(graph, REQUEST, context)]
    assert names == ["receive", *steps, "revise", "propose", "report"]


async def test_a_model_that_also_corrects_is_asked_once_a_round(scripted):
    one = await critic(model=scripted({VERIFY: [MENDED, RIGHT]}))
    roles = {"verify": scripted({CHECK: [WRONG, RIGHT]}), "correct": scripted({CORRECT: RESPONSE})}
    two = await critic(roles=roles)
    assert (one.response, two.response) == (RESPONSE, RESPONSE)
    assert (one.usage.model_calls, two.usage.model_calls) == (2, 3)


async def test_an_answer_that_is_missing_is_asked_for(scripted):
    correction = await critic(model=scripted({VERIFY: [WRONG, RIGHT], CORRECT: RESPONSE}))
    assert (correction.response, correction.usage.model_calls) == (RESPONSE, 3)


@pytest.mark.parametrize("profile", ["", "paper"])
async def test_a_draft_with_the_headings_of_the_reply_stays_whole(scripted, profile):
    draft = f"Question: {QUESTION}\nAnswer: {DRAFT}"
    mended = f"Question: {QUESTION}\nAnswer: {RESPONSE}"
    model = scripted({VERIFY: [f"{WRONG}\nAnswer: {mended}", RIGHT]})
    correction = await critic(draft, model=model, profile=profile)
    assert correction.response == mended


@pytest.mark.parametrize("words", ["I'm sorry, I can't help with that.", "No changes needed."])
async def test_an_answer_that_is_no_text_is_asked_for_and_then_left(scripted, words):
    answer = f"{WRONG}\nAnswer: {words}"
    model = scripted({VERIFY: [answer, RIGHT], CORRECT: RESPONSE})
    assert (await critic(model=model, profile="paper")).response == RESPONSE
    refusing = scripted({VERIFY: answer, CORRECT: words})
    assert (await critic(model=refusing, profile="paper")).response == DRAFT


async def test_the_most_rounds_stay_within_the_graphs_limit(scripted):
    years = [DRAFT.replace("1865", str(year)) for year in range(1866, 1874)]
    model = scripted({VERIFY: [f"{WRONG}\nAnswer: {text}" for text in years]})
    correction = await critic(model=model, rounds=8, guard=False)
    assert correction.response == years[-1]
    assert len(correction.trail["critiques"]) == 8


async def test_a_critique_searches_until_it_names_the_problems(scripted):
    correction = await critic(model=scripted(REPLIES))
    assert correction.response == RESPONSE
    [edit] = correction.edits
    assert (edit.before, edit.after, edit.claims) == ("1865", "1867", ("c1",))
    assert (edit.evidence[0].text, edit.explanation) == (PAGE, ERROR.removeprefix("1. "))
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    first, second = correction.trail["critiques"]
    assert [search["question"] for search in first["searches"]] == ["When was Marie Curie born?"]
    assert (first["text"], first["revised"], second["text"]) == (DRAFT, RESPONSE, RESPONSE)


@pytest.mark.parametrize(
    ("queries", "searches"),
    [(["Search: born", "Search: work", "Search: bees"], 2), (["Search: born"] * 3, 1)],
)
async def test_searches_are_bounded_and_none_repeats(scripted, queries, searches):
    correction = await critic(model=scripted({VERIFY: queries}), searches_per_round=2)
    assert correction.usage.model_calls == 3
    [critique] = correction.trail["critiques"]
    assert len(critique["searches"]) == searches
    assert any("does not say what the problems are" in note for note in correction.notes)
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}


async def test_what_a_model_finds_no_problem_in_is_not_refuted(scripted):
    correction = await critic(model=scripted({VERIFY: RIGHT}))
    assert [v.label for v in correction.verdicts] == ["not_mentioned", "supported", "not_mentioned"]
    assert correction.response == DRAFT


async def test_a_later_problem_is_one_of_the_draft(scripted):
    second = RESPONSE.replace("She kept bees.", "She kept no bees.")
    later = f'Problems:\n1. "kept bees": she kept none\nAnswer: {second}'
    correction = await critic(model=scripted({VERIFY: [MENDED, later, RIGHT]}), guard=False)
    assert correction.response == second
    assert [v.label for v in correction.verdicts] == ["refuted", "supported", "refuted"]
    assert [edit.claims for edit in correction.edits] == [("c1",), ("c3",)]


async def test_local_code_searches_for_each_claim_once(demo):
    correction = await acorrect(QUESTION, DRAFT, "critic", search=demo)
    assert correction.response == RESPONSE
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    assert correction.usage.searches == 4
    assert len(correction.trail["critiques"]) == 2


async def test_a_critique_that_rests_on_nothing_says_so(scripted):
    for profile, reply in product(("", "paper"), (RIGHT, MENDED)):
        settings = {"model": scripted({VERIFY: reply}), "profile": profile}
        correction = await critic(documents=(), **settings)
        assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
        assert (correction.response, correction.label) == (DRAFT, "not_mentioned")
        assert any("rests on nothing that was found" in note for note in correction.notes)
    nothing = await critic(documents=())
    assert "there is no document to judge by" in nothing.notes
