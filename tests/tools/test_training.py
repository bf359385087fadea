"""What the cross-encoder learns from, and how calibration is measured."""

from random import Random

import numpy as np
import pytest

from errata.training.pairs import half, kept_back
from errata.training.reliability import calibration_error, curve, draw
from errata.training.statements import statement
from errata.training.swaps import pooled, swapped


@pytest.mark.parametrize(
    ("question", "answer", "said"),
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
def test_questions_become_statements(question, answer, said):
    assert statement(question, answer) == said


def test_a_swap_puts_in_what_the_evidence_does_not_know():
    pool = pooled(["It was moved in 1950 by Ada Byron.", "It fell in 1889."])
    wrong = swapped("The tower was opened in 1889.", frozenset({"1889"}), pool, Random(0))
    assert wrong == "The tower was opened in 1950."
    assert swapped("Bees fly.", frozenset(), pool, Random(0)) == ""
    assert swapped("In 1889.", frozenset({"1889", "1950"}), pool, Random(0)) == ""


def test_groups_fall_on_one_side():
    groups = [f"article {i}" for i in range(400)]
    assert 150 < sum(half(group) for group in groups) < 250
    assert 20 < sum(kept_back(group) for group in groups) < 60


def test_a_calibrated_judge_lies_on_the_diagonal(tmp_path):
    score = np.repeat([0.25, 0.75], 40)
    true = np.array([1.0] * 10 + [0.0] * 30 + [1.0] * 30 + [0.0] * 10)
    assert calibration_error(true, score) == pytest.approx(0)
    assert calibration_error(true, np.ones(80)) == pytest.approx(0.5)
    said, so = curve(true, score)
    assert list(said) == pytest.approx([0.25, 0.75])
    assert list(so) == pytest.approx([0.25, 0.75])
    draw({"this one": (said, so)}, tmp_path / "plot.svg")
    assert "</svg>" in (tmp_path / "plot.svg").read_text()
