"""Synthetic claims, splits, fits and calibration."""

from random import Random

import numpy as np
import pytest

from errata.evals.datasets.relevance import RelevancePair
from errata.training.logistic import fit, fit_rounded
from errata.training.reliability import (
    calibration_error,
    coverage_curve,
    reliability_curve,
)
from errata.training.splits import fold_of, is_reserved
from errata.training.statements import make_statement
from errata.training.swaps import collect_entities, swap_entity
from errata.training.thresholds import best_by_question, choose_thresholds


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Who wrote Hamlet?", "Shakespeare", "Shakespeare wrote Hamlet."),
        ("How many ships were present ?", "200", "200 ships were present."),
        ("How many wars did Rome lose?", "two", "Rome lose two wars."),
        ("What is the capital of France?", "Paris", "Paris is the capital of France."),
        ("Which river did they cross?", "the Rhine", "they cross the Rhine, river."),
        ("When was the tower opened?", "1889", "the tower opened in 1889."),
        ("Where did he die?", "in Rome", "he die in Rome."),
        ("In what year was it built?", "1889", "In 1889, was it built."),
        ("From which army did they take arms?", "the Royal", "From the Royal, they take arms."),
        ("Is there a delegate?", "two", "Is there a delegate: two."),
    ],
)
def test_questions_become_statements(question, answer, statement):
    assert make_statement(question, answer) == statement


def test_a_swapped_entity_is_not_in_the_evidence():
    pool = collect_entities(["It was moved in 1950 by Ada Byron.", "It fell in 1889."])
    wrong = swap_entity("The tower was opened in 1889.", frozenset({"1889"}), pool, Random(0))
    assert wrong == "The tower was opened in 1950."
    assert swap_entity("Bees fly.", frozenset(), pool, Random(0)) == ""
    assert swap_entity("In 1889.", frozenset({"1889", "1950"}), pool, Random(0)) == ""


def test_groups_are_split_evenly():
    groups = [f"article {i}" for i in range(400)]
    assert 150 < sum(fold_of(group) for group in groups) < 250
    assert 20 < sum(is_reserved(group) for group in groups) < 60


def test_a_calibrated_judge_lies_on_the_diagonal():
    score = np.repeat([0.25, 0.75], 40)
    true = np.array([1.0] * 10 + [0.0] * 30 + [1.0] * 30 + [0.0] * 10)
    assert calibration_error(true, score) == pytest.approx(0)
    assert calibration_error(true, np.ones(80)) == pytest.approx(0.5)
    mean_score, true_share = reliability_curve(true, score)
    assert list(mean_score) == pytest.approx([0.25, 0.75])
    assert list(true_share) == pytest.approx([0.25, 0.75])


def test_accuracy_is_told_for_the_surest_claims_first():
    true = np.array([1.0, 0.0, 1.0, 0.0])
    score = np.array([0.9, 0.2, 0.4, 0.3])
    covered, accuracy = coverage_curve(true, score)
    assert list(covered) == pytest.approx([0.25, 0.5, 0.75, 1])
    assert list(accuracy) == pytest.approx([1, 1, 1, 0.75])


def test_a_fit_separates_two_classes():
    x = np.array([[0.0, 5.0], [1.0, 5.5], [2.0, 4.5], [3.0, 5.0]] * 10)
    y = np.array([0.0, 0.0, 1.0, 1.0] * 10)
    bias, weights = fit(x, y, np.ones(40))
    assert list(x @ weights + bias > 0) == list(y == 1)
    rounded_bias, by_name = fit_rounded(["a", "b"], x, y, np.ones(40))
    assert rounded_bias == round(bias, 4)
    assert by_name == {"a": round(weights[0], 4), "b": round(weights[1], 4)}


def pair(question, relevant):
    return RelevancePair(group="", question=question, title="", text="", relevant=relevant)


def test_thresholds_are_chosen_by_question():
    pairs = [pair("a", True), pair("a", False), pair("b", False), pair("c", True)]
    best, answerable = best_by_question(pairs, [0.9, 0.1, -0.8, 0.7])
    assert (list(best), list(answerable)) == ([0.9, -0.8, 0.7], [1, 0, 1])
    upper, lower = choose_thresholds(best, answerable)
    assert -0.8 <= upper < 0.7
    assert lower <= upper


@pytest.mark.parametrize(("low", "lower"), [(2, 0.4), (3, -0.45)])
def test_the_lower_threshold_throws_little_away_that_holds_an_answer(low, lower):
    best = np.array([-0.9] * 60 + [-0.4] * low + [0.4] * 60 + [0.5] * 98)
    answerable = np.array([0.0] * 60 + [1.0] * low + [0.0] * 60 + [1.0] * 98)
    assert choose_thresholds(best, answerable) == (0.4, lower)
