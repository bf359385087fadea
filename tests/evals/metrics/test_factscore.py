"""FActScore on worked examples: support, length, abstention, what was not judged."""

import json
from math import exp

import pytest

from errata.evals.metrics import scorer_named
from errata.evals.metrics.responses import abstains
from errata.tools.retrieval.index import build

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
    scorer = scorer_named("factscore", judge=said(countess="supported", bees="refuted"), gamma=0)
    short, long = "Ada was a countess.", "Ada kept bees. Ada loved bees. Ada sold bees."
    figures = scorer.figures(
        await scored(scorer, (ada("a"), answer(short)), (ada("b"), answer(long)))
    )
    assert figures["factscore"].value == 0.5
    assert figures["supported_claims"].value == 0.25


async def test_who_abstains_is_counted_apart(scored, ada, answer, said):
    scorer = scorer_named("factscore", judge=said(countess="supported"), gamma=0)
    rows = await scored(
        scorer,
        (ada("a"), answer("I'm sorry, who is that?")),
        (ada("b"), answer("Ada was a countess.")),
    )
    figures = scorer.figures(rows)
    assert (figures["factscore"].value, figures["factscore"].count) == (1, 1)
    assert figures["responded"].value == 0.5


async def test_what_the_judge_left_out_is_unscored(scored, ada, answer, said):
    scorer = scorer_named("factscore", judge=said(countess="supported"), gamma=0)
    rows = await scored(scorer, (ada(), answer("Ada was a countess. Ada kept bees.")))
    figures = scorer.figures(rows)
    assert figures["factscore"].value == 1
    assert figures["unscored"].value == 0.5


async def test_a_model_splits_off_claims(scored, ada, answer, said, scripted):
    model = scripted({"rac/extract": "1. Ada was a countess.\n2. Ada kept bees."})
    judge = said(countess="supported", bees="not_mentioned")
    scorer = scorer_named("factscore", judge=judge, claims=model, gamma=0)
    rows = await scored(scorer, (ada(), answer("The countess Ada kept bees.")))
    assert scorer.figures(rows)["factscore"].value == 0.5


async def test_a_model_that_lists_no_claims_leaves_the_response_unscored(
    scored, ada, answer, scripted
):
    scorer = scorer_named("factscore", claims=scripted({}))
    figures = scorer.figures(await scored(scorer, (ada(), answer("Ada was a countess."))))
    assert figures["factscore"].value is None
    assert (figures["unscored"].value, figures["responded"].value) == (1, 1)


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


async def test_an_index_is_a_knowledge_source(scored, item, answer, tmp_path):
    source = tmp_path / "pages.jsonl"
    source.write_text(json.dumps({"title": "Ada", "text": PAGE}) + "\n")
    build([source], tmp_path / "index")
    scorer = scorer_named("factscore", knowledge=str(tmp_path / "index"), gamma=0)
    response = answer("Ada Lovelace was a countess. She wrote notes.")
    rows = await scored(scorer, (item({"entity": "Ada Lovelace"}), response))
    assert scorer.figures(rows)["factscore"].value == 1
