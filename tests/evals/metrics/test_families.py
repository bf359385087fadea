"""Every scorer: by name, on failed runs, as JSON, and where an item lacks what it needs."""

import json

import pytest

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.items import Row
from errata.evals.metrics import SCORERS, scorer_named

pytestmark = pytest.mark.anyio
GOLD = {
    "answers": ["countess"],
    "label": False,
    "facts": [
        {"text": "Ada was a countess.", "label": True},
        {"text": "Ada kept bees.", "label": False},
    ],
    "correct_answers": ["Ada was a countess"],
    "incorrect_answers": ["Ada was a beekeeper"],
    "documents": ["Ada was a countess who wrote notes."],
}
DRAFT = "Ada was a countess. Ada kept bees."


@pytest.mark.parametrize("name", SCORERS)
async def test_what_is_said_is_json_and_its_figures_are_numbers(name, item, correction):
    labelled = item(GOLD, draft=DRAFT)
    result = correction(
        DRAFT,
        "Ada was a countess.",
        labels=[("Ada was a countess.", "supported"), ("Ada kept bees.", "refuted")],
        label="refuted",
    )
    scorer = scorer_named(name)
    said = json.loads(json.dumps(await scorer.score(labelled, result)))
    figures = scorer.figures([Row(item=labelled, result=result, scores={name: said})])
    assert list(figures) == list(scorer.measures)
    assert any(figure.value is not None for figure in figures.values())
    for figure in figures.values():
        assert figure.value is None or isinstance(figure.value, float)


@pytest.mark.parametrize(
    ("name", "figure", "worst"),
    [
        ("match", "accuracy", 0),
        ("detection", "accuracy", 0),
        ("detection", "f1_false", 0),
        ("claims", "balanced_accuracy", 0),
        ("claims", "undecided", 1),
        ("facts", "correction_accuracy", 0),
        ("facts", "revision_accuracy", 0),
        ("facts", "true_facts_kept", 0),
        ("facts", "false_facts_denied", 0),
        ("factscore", "factscore", 0),
        ("factscore", "responded", 0),
        ("truthfulqa", "bleu_accuracy", 0),
        ("overcorrection", "text_kept", 0),
        ("cost", "failed", 1),
    ],
)
def test_a_failed_run_is_the_worst_there_can_be(name, figure, worst, item):
    rows = [Row(item=item(GOLD, name=str(n), draft=DRAFT), error="no answer") for n in range(3)]
    figures = scorer_named(name).figures(rows)
    assert figures[figure].value == worst
    assert figures[figure].count >= 3


def test_a_result_that_was_not_scored_counts_nowhere(item, correction):
    rows = [Row(item=item(GOLD), result=correction())]
    for name in SCORERS:
        assert {figure.count for figure in scorer_named(name).figures(rows).values()} == {0}


@pytest.mark.parametrize(
    "name", ["match", "detection", "claims", "facts", "truthfulqa", "factscore"]
)
async def test_an_item_that_lacks_the_gold_is_named(name, item, correction):
    with pytest.raises(InputError, match=rf"{name}.*'i' has nothing.*choose"):
        await scorer_named(name).score(item(), correction())


async def test_the_items_documents_stand_in_for_gold_ones(item, correction, said):
    page = Document(text="Ada was a countess.")
    judge = said(countess="supported")
    result = await scorer_named("factscore", judge=judge).score(
        item(documents=(page,)), correction()
    )
    assert result["relations"] == ["supported"]
    assert judge.asked == [("Who was Ada?", ("Ada was a countess.",), ("Ada was a countess.",))]
