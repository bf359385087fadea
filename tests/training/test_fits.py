"""The regression, calibration and thresholds of the judges, and splits of groups."""

import numpy as np
import pytest

from errata.evals.datasets.relevance import RelevancePair
from errata.training.fits import (
    best_by_question,
    bin_scores,
    calibration_error,
    choose_thresholds,
)
from errata.training.pairs import is_reserved


def test_a_tenth_of_the_groups_is_reserved():
    groups = [f"article {i}" for i in range(400)]
    assert 20 < sum(is_reserved(group) for group in groups) < 60


def test_a_calibrated_judge_lies_on_the_diagonal():
    score = np.repeat([0.25, 0.75], 40)
    true = np.array([1.0] * 10 + [0.0] * 30 + [1.0] * 30 + [0.0] * 10)
    assert calibration_error(true, score) == pytest.approx(0)
    assert calibration_error(true, np.ones(80)) == pytest.approx(0.5)
    weight, mean_score, true_share = bin_scores(true, score)
    assert list(weight) == pytest.approx([0.5, 0.5])
    assert list(mean_score) == pytest.approx([0.25, 0.75])
    assert list(true_share) == pytest.approx([0.25, 0.75])


def test_thresholds_are_chosen_by_question():
    pairs = [
        RelevancePair(group="", question=question, title="", text="", relevant=relevant)
        for question, relevant in (("a", True), ("a", False), ("b", False), ("c", True))
    ]
    best, answerable = best_by_question(pairs, [0.9, 0.1, -0.8, 0.7])
    assert (list(best), list(answerable)) == ([0.9, -0.8, 0.7], [1, 0, 1])
    upper, lower = choose_thresholds(best, answerable)
    assert lower <= upper < 0.7
    assert upper >= -0.8


@pytest.mark.parametrize(("low", "lower"), [(2, 0.4), (3, -0.45)])
def test_the_lower_threshold_throws_little_away_that_holds_an_answer(low, lower):
    best = np.array([-0.9] * 60 + [-0.4] * low + [0.4] * 60 + [0.5] * 98)
    answerable = np.array([0.0] * 60 + [1.0] * low + [0.0] * 60 + [1.0] * 98)
    assert choose_thresholds(best, answerable) == (0.4, lower)
