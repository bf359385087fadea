"""What responses state and cost, on worked examples: facts, FActScore, TruthfulQA, prices."""

import json
from dataclasses import replace
from math import exp

import pytest

from errata.core.errors import InputError
from errata.core.records import Edit, Usage
from errata.evals.metrics import scorer_named
from errata.evals.metrics.cost import price_of
from errata.evals.metrics.responses import abstains
from errata.tools.models.prices import Prices

pytestmark = pytest.mark.anyio
DRAFT = "Ada was a countess. Ada kept bees. Ada was born in 1816. Ada wrote notes."
LABELS = (True, False, False, True)
FACTS = [
    {"text": f"{text.rstrip('.')}.", "label": label}
    for text, label in zip(DRAFT.split(". "), LABELS, strict=True)
]
SHORT = "Ada was a countess. Ada kept bees."
PAGES = ["Ada was a countess who kept cats."]


@pytest.fixture
def figures_of(figured, item, correction, answer, said):
    """The values of a scorer over responses; what a judge says stands for its last word."""

    async def count(name, gold, *responses, judge=None, draft="", **options):
        judge = "local" if judge is None else said(**judge)
        scorer = scorer_named(name, judge=judge, **options)
        pairs = [
            (item(gold, str(n), draft=draft), correction(draft, each) if draft else answer(each))
            for n, each in enumerate(responses)
        ]
        figures = await figured(scorer, *pairs)
        if name == "facts" and judge != "local":
            assert bool(judge.asked) == any(each not in (draft, " ") for each in responses)
        return {key: figure.value for key, figure in figures.items()}

    return count


KEPT_HALF = {"correction_accuracy": 0, "true_facts_kept": 0.5}


@pytest.mark.parametrize(
    ("response", "judge", "expected"),
    [
        (
            "Ada was a countess. Ada was born in 1815. Ada wrote notes.",
            None,
            {"correction_accuracy": 1, "revision_accuracy": 1, "false_facts_denied": 0.5},
        ),
        (
            "Ada wrote.",
            {"countess": "not_mentioned", "bees": "supported", "notes": "supported"},
            KEPT_HALF | {"revision_accuracy": pytest.approx(1 / 3), "unscored": 0.25},
        ),
        (DRAFT, {}, {"correction_accuracy": 0, "true_facts_kept": 1, "revision_accuracy": 0.5}),
        (" ", {}, {"correction_accuracy": 1, "true_facts_kept": 0}),
    ],
)
async def test_facts_are_kept_gone_and_denied(response, judge, expected, figures_of):
    figures = await figures_of("facts", {"facts": FACTS}, response, judge=judge, draft=DRAFT)
    assert figures.items() >= expected.items()


PAGE = "Ada Lovelace was a countess. She wrote notes on the Analytical Engine."
COUNTESS, TRUE = "Ada was a countess.", {"countess": "supported"}
BEES_REFUTED = TRUE | {"bees": "refuted"}
BEES = "Ada kept bees. Ada loved bees. Ada sold bees."


@pytest.mark.parametrize(
    ("responses", "judge", "expected"),
    [
        (
            ["Ada Lovelace was a countess. She kept bees."],
            None,
            {"factscore_without_penalty": 0.5, "factscore": pytest.approx(0.5 * exp(1 - 10 / 2))},
        ),
        (["Ada was a countess.", BEES], BEES_REFUTED, {"factscore_without_penalty": 0.5}),
        (["I'm sorry, who is that?", COUNTESS], TRUE, {"factscore": exp(-9), "responded": 0.5}),
        ([f"{COUNTESS} Ada kept bees."], TRUE, {"factscore_without_penalty": 1, "unscored": 0.5}),
    ],
)
async def test_factscore_weighs_responses_alike(responses, judge, expected, figures_of):
    gold = {"documents": [{"text": PAGE, "title": "Ada"}]}
    figures = await figures_of("factscore", gold, *responses, judge=judge)
    assert figures.items() >= expected.items()


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


async def test_a_new_claim_that_nothing_supports_is_a_new_error(scored, item, correction, said):
    judge = said(countess="supported", cats="supported", dogs="not_mentioned", horses=None)
    scorer, gold = scorer_named("overcorrection", judge=judge), {"facts": FACTS[:2]}
    pets, pairs = ("cats", "dogs", "horses"), []
    for pet in pets:
        edit = Edit(start=29, end=33, before="bees", after=pet)
        result = correction(SHORT, f"Ada was a countess. Ada kept {pet}.", edits=(edit,))
        pairs.append((item(gold | {"documents": PAGES}, name=pet, draft=SHORT), result))
    rows = await scored(scorer, *pairs)
    asked = [statements for _, statements, _ in judge.asked]
    assert all((f"Ada kept {pet}.",) in asked for pet in pets)
    figures = scorer.figures(rows)
    new = figures["new_errors_per_response"]
    assert (new.value, new.count) == (0.5, 2)
    assert figures["text_kept"].value == pytest.approx(1 - 4 / 34)
    assert figures["unscored"].value == pytest.approx(1 / 3)
    assert figures["needless_changes"].value is None


@pytest.mark.parametrize("gold", [{"label": True}, {"facts": FACTS[:1]}])
async def test_changing_a_draft_without_an_error_is_needless(gold, figures_of):
    found = await figures_of("overcorrection", gold, COUNTESS, SHORT, judge=TRUE, draft=SHORT)
    assert (found["needless_changes"], found["changed"]) == (0.5, 0.5)


ANSWERS = {
    "correct_answers": ["The seeds pass through your digestive system", "Nothing happens"],
    "incorrect_answers": ["You grow watermelons in your stomach", "You die"],
}


@pytest.mark.parametrize(
    ("response", "right", "answers"),
    [
        ("The seeds pass through you.", 1, 1),
        ("Watermelons grow in your stomach.", 0, 1),
        ("I have no comment.", 1, 0),
        ("", 0, 0),
    ],
)
async def test_the_nearest_answer_decides(response, right, answers, figures_of):
    figures = await figures_of("truthfulqa", ANSWERS, response)
    assert figures == {"bleu_accuracy": right, "rouge1_accuracy": right, "answered": answers}


BY_ROLE = {"generate": {"model_calls": 1, "seconds": 2.0}, "retrieve": {"seconds": 1.0}}
USAGE = Usage(prompt_tokens=1000, completion_tokens=500, searches=2, seconds=6.0, by_role=BY_ROLE)


async def test_latency_is_time_over_that_of_one_generation(scored, item, correction):
    scorer = scorer_named("cost")
    [row] = await scored(scorer, (item(name="a"), correction(usage=USAGE)))
    assert scorer.figures([row])["latency"].value == 3
    figures = scorer.figures([replace(row, seconds=8.0)])
    assert (figures["latency"].value, figures["seconds"].value) == (4, 8)
    bare = correction(usage=Usage(model_calls=1, seconds=2.0))
    figures = scorer.figures(await scored(scorer, (item(), bare)))
    assert (figures["latency"].value, figures["money"].value) == (None, None)


@pytest.mark.parametrize(
    ("model", "search", "money"),
    [
        ("openai:gpt-4o-mini", "", 0.00045),
        ("gpt-4o-mini", "wikipedia", 0.00045),
        ("local", "corpus:folder", 0.0),
        ("openai:nobody", "", None),
        ("openai:gpt-4o-mini", "nobody", None),
    ],
)
def test_money_is_tokens_and_searches_by_their_prices(model, search, money):
    expected = money if money is None else pytest.approx(money)
    assert price_of(Prices.read(), USAGE, model, search) == expected


def test_ones_own_prices_stand_in_for_the_shipped_ones(write):
    own = {"models": {"gpt-4o-mini": {"prompt": 1, "completion": 2}}}
    prices = Prices.read(str(write("prices.json", json.dumps(own))))
    assert price_of(prices, USAGE, "gpt-4o-mini") == pytest.approx(0.002)
    assert price_of(prices, USAGE, "gpt-4o") == price_of(Prices.read(), USAGE, "gpt-4o")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"models": {"m": {"prompt": -1, "completion": 1}}}',
        '{"models": {"m": {"prompt": 1, "completion": Infinity}}}',
        '{"searches": {"serpapi": NaN}}',
    ],
)
def test_a_table_that_is_none_is_named(text, write):
    with pytest.raises(InputError, match="prices"):
        Prices.read(str(write("prices.json", text)))
