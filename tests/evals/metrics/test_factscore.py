"""FActScore on worked examples: support, length, abstention, what was not judged."""

from math import exp

import pytest

from errata.evals.metrics import scorer_named
from errata.evals.metrics.responses import abstains

pytestmark = pytest.mark.anyio
PAGE = "Ada Lovelace was a countess. She wrote notes on the Analytical Engine."


@pytest.fixture
def ada(item):
    return lambda name="a": item({"documents": [{"text": PAGE, "title": "Ada"}]}, name=name)


async def test_the_local_judge_scores_a_response(scored, ada, answer):
    scorer = scorer_named("factscore")
    rows = await scored(scorer, (ada(), answer("Ada Lovelace was a countess. She kept bees.")))
    said = rows[0].scores["factscore"]
    assert said["relations"] == ["supported", "not_mentioned"]
    figures = scorer.figures(rows)
    assert figures["factscore_without_penalty"].value == 0.5
    assert figures["factscore"].value == pytest.approx(0.5 * exp(1 - 10 / 2))
    assert figures["claims_per_response"].value == 2


async def test_responses_weigh_the_same_and_claims_when_pooled(scored, ada, answer, said):
    scorer = scorer_named("factscore", judge=said(countess="supported", bees="refuted"))
    short, long = "Ada was a countess.", "Ada kept bees. Ada loved bees. Ada sold bees."
    figures = scorer.figures(
        await scored(scorer, (ada("a"), answer(short)), (ada("b"), answer(long)))
    )
    assert figures["factscore_without_penalty"].value == 0.5
    assert figures["supported_claims"].value == 0.25


async def test_who_abstains_is_counted_apart(figured, ada, answer, said):
    scorer = scorer_named("factscore", judge=said(countess="supported"))
    figures = await figured(
        scorer,
        (ada("a"), answer("I'm sorry, who is that?")),
        (ada("b"), answer("Ada was a countess.")),
    )
    assert (figures["factscore"].value, figures["factscore"].count) == (exp(-9), 1)
    assert figures["responded"].value == 0.5


async def test_what_the_judge_left_out_is_unscored(figured, ada, answer, said):
    scorer = scorer_named("factscore", judge=said(countess="supported"))
    figures = await figured(scorer, (ada(), answer("Ada was a countess. Ada kept bees.")))
    assert figures["factscore_without_penalty"].value == 1
    assert figures["unscored"].value == 0.5


@pytest.mark.parametrize(
    ("response", "refuses"),
    [
        ("", True),
        ("I'm sorry, but I do not know that person.", True),
        ("I could not find anything about her.", True),
        ("I am not able to say who that is.", True),
        ("As an AI, I have no such data.", True),
        ("There are many. Could you provide more context?", True),
        ("I have no comment.", True),
        ("Ada was sorry to leave London.", False),
        ("Ian was an airline pilot.", False),
        ("I Claudius is a novel.", False),
    ],
)
def test_refusals_are_told_from_answers(response, refuses):
    assert abstains(response) is refuses
