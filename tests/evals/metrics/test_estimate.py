"""Estimates from sums: against scikit-learn, on worked examples, and their properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.evals.metrics.estimate import (
    BALANCED,
    SHARE,
    confusion,
    estimate,
)


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


@pytest.mark.parametrize(
    ("by_item", "value", "low"),
    [
        ({}, None, None),
        ({"a": ()}, None, None),
        ({"a": (0, 0)}, None, None),
        ({"a": (1, 2)}, 0.5, None),
    ],
)
def test_there_is_no_value_without_a_count_and_no_interval_of_one_item(by_item, value, low):
    figure = estimate(SHARE, by_item)
    assert (figure.value, figure.low) == (value, low)


def test_balanced_accuracy_needs_both_classes():
    assert math.isnan(float(BALANCED.value(confusion([(True, True)]))))
    assert estimate(BALANCED, {"a": confusion([(True, True)])}).value is None
