"""Every scorer: on failed runs, as JSON, where an item lacks what it needs; its estimates."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.items import Row
from errata.evals.metrics import SCORERS, scorer_named
from errata.evals.metrics.estimate import BALANCED, SHARE, confusion, estimate

pytestmark = pytest.mark.anyio
FACTS = {"Ada was a countess.": True, "Ada kept bees.": False}
GOLD = {
    "answers": ["countess"],
    "label": False,
    "facts": [{"text": text, "label": label} for text, label in FACTS.items()],
    "correct_answers": ["Ada was a countess"],
    "incorrect_answers": ["Ada was a beekeeper"],
    "documents": ["Ada was a countess who wrote notes."],
}
DRAFT = "Ada was a countess. Ada kept bees."


@pytest.mark.parametrize("name", SCORERS)
async def test_what_is_said_is_json_and_its_figures_are_numbers(name, item, correction):
    labelled = item(GOLD, draft=DRAFT)
    labels = [("Ada was a countess.", "supported"), ("Ada kept bees.", "refuted")]
    result = correction(DRAFT, "Ada was a countess.", labels=labels, label="refuted")
    scorer = scorer_named(name)
    said = json.loads(json.dumps(await scorer.score(labelled, result)))
    figures = scorer.figures([Row(item=labelled, result=result, scores={name: said})])
    assert list(figures) == list(scorer.measures)
    values = [figure.value for figure in figures.values() if figure.value is not None]
    assert values
    assert all(isinstance(value, float) for value in values)


@pytest.mark.parametrize(
    ("name", "worst_of", "worst"),
    [
        ("match", "accuracy", 0),
        ("detection", "accuracy f1_false", 0),
        ("claims", "balanced_accuracy", 0),
        ("claims", "undecided", 1),
        ("facts", "correction_accuracy revision_accuracy true_facts_kept false_facts_denied", 0),
        ("factscore", "factscore responded", 0),
        ("truthfulqa", "bleu_accuracy", 0),
        ("overcorrection", "text_kept", 0),
        ("cost", "failed", 1),
    ],
)
def test_a_failed_run_is_the_worst_there_can_be(name, worst_of, worst, item):
    rows = [Row(item=item(GOLD, name=str(n), draft=DRAFT), error="no answer") for n in range(3)]
    figures = scorer_named(name).figures(rows)
    assert {figures[each].value for each in worst_of.split()} == {worst}
    assert all(figures[each].count >= 3 for each in worst_of.split())


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


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(5, 9)), min_size=2, max_size=20))
def test_a_share_lies_in_its_interval_and_is_the_same_every_time(rows):
    by_item = {str(n): row for n, row in enumerate(rows)}
    figure = estimate(SHARE, by_item)
    assert figure.value == pytest.approx(sum(a for a, _ in rows) / sum(b for _, b in rows))
    assert figure.count == sum(b for _, b in rows)
    assert figure.low - 1e-9 <= figure.value <= figure.high + 1e-9
    assert figure == estimate(SHARE, by_item)


def test_facts_of_one_item_are_drawn_together():
    apart = estimate(SHARE, {str(n): (n % 2, 1) for n in range(100)})
    together = estimate(SHARE, {str(n): (50 * (n % 2), 50) for n in range(2)})
    assert apart.value == together.value == 0.5
    assert (together.low, together.high) == (0, 1)
    assert 0.35 < apart.low < 0.45
    assert 0.55 < apart.high < 0.65


@pytest.mark.parametrize("by_item", [{}, {"a": ()}, {"a": (0, 0)}, {"a": (1, 2)}])
def test_there_is_no_value_without_a_count_and_no_interval_of_one_item(by_item):
    figure = estimate(SHARE, by_item)
    assert (figure.value, figure.low) == (0.5 if by_item == {"a": (1, 2)} else None, None)


def test_balanced_accuracy_needs_both_classes():
    assert estimate(BALANCED, {"a": confusion([(True, True)])}).value is None
