"""CRITIC with scripted models in its roles and with local code: its rounds and searches."""

from itertools import product

import pytest

from errata import acorrect
from errata_baselines.critic import graph
from example import DRAFT, ERROR, PAGE, QUESTION, REPLIES, REQUEST, RESPONSE

pytestmark = pytest.mark.anyio
VERIFY = "critic/verify.answer"
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
        ([MENDED], {"rounds": 1}, ["verify", "correct"]),
        ([f"{WRONG}\nAnswer: {DRAFT}"], {}, ["verify", "correct"]),
        ([WRONG], {"check_only": True}, ["verify"]),
    ],
)
async def test_rounds_end_where_nothing_changes(updates, scripted, replies, settings, steps):
    context = {"model": scripted({VERIFY: replies}), **settings}
    names = [name for name, _ in await updates(graph, REQUEST, context)]
    assert names == ["receive", *steps, "revise", "propose", "review", "report"]


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


async def test_a_critique_that_rests_on_nothing_says_so(scripted):
    for profile, reply in product(("", "paper"), (RIGHT, MENDED)):
        settings = {"model": scripted({VERIFY: reply}), "profile": profile}
        correction = await critic(documents=(), **settings)
        assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
        assert (correction.response, correction.label) == (DRAFT, "unchecked")
        assert any("rests on nothing that was found" in note for note in correction.notes)
    nothing = await critic(documents=())
    assert "there is no document to judge by" in nothing.notes
