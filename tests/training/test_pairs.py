"""Pairs of claims and texts: plans, batches, turned documents; and what is fitted to scores."""

from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

from errata.evals.datasets.relevance import RelevancePair
from errata.training.fits import best_by_question, calibration_error, choose_thresholds
from errata.training.pairs import (
    REFUTED,
    SUPPORTED,
    Pair,
    is_reserved,
    order_batches,
    read_plan,
    write_plan,
)
from errata.training.written_pairs import changes, read_cases, turned


def test_a_tenth_of_the_groups_is_reserved():
    groups = [f"article {i}" for i in range(400)]
    assert 20 < sum(is_reserved(group) for group in groups) < 60


def test_plans_are_read_as_they_were_written(tmp_path):
    pairs = [Pair(f"group {n}", "s", "claim", "text", SUPPORTED, "b") for n in range(20)]
    pairs += [replace(pairs[0], answer="text", wrong=((0, 5),)), replace(pairs[1], labels=REFUTED)]
    write_plan(tmp_path / "new" / "plan.jsonl.gz", pairs)
    assert list(read_plan(tmp_path / "new")) == pairs


def test_bundles_share_a_batch_and_batches_have_a_size():
    lengths = [10, 60, 12, 10, 50, 62]
    batches = order_batches(["a", "b", "a", "", "b", ""], lengths, 130, Random(0))
    assert sorted(row for batch in batches for row in batch) == list(range(6))
    of_row = {row: number for number, batch in enumerate(batches) for row in batch}
    assert (of_row[0], of_row[1]) == (of_row[2], of_row[4])
    assert all(max(lengths[r] for r in batch) * len(batch) <= 130 for batch in batches)


@pytest.mark.parametrize(
    ("claim", "twin", "expected"),
    [
        ("It opened in 1932.", "It opened in 1931.", [(13, 17, "1931")]),
        ("Ada sold it to Ben.", "Ben sold it to Ada.", [(0, 3, "Ben"), (15, 18, "Ada")]),
        ("It is not open.", "It is open.", [(6, 9, "")]),
        ("It is open.", "It is not open.", []),
        ("Cats sleep.", "The works closed in May.", []),
    ],
)
def test_a_claim_differs_from_its_twin_in_some_words(claim, twin, expected):
    assert changes(claim, twin) == expected


def test_a_turned_document_has_other_words_in_one_place():
    texts = ["One. Two  words. Three.", "Four."]
    assert turned(texts, [(0, "Two  words.", ""), (1, "Four", "Five")]) == ["One. Three.", "Five."]


def test_no_claim_has_only_one_label_where_documents_are_turned(shared_data):
    cases = list(islice(read_cases(shared_data), 1000))
    originals = {case.group: case for case in cases if not case.changed}
    for case in filter(lambda case: case.changed, cases):
        before = {claim.name: claim.labels for claim in originals[case.group].claims}
        assert case.documents != originals[case.group].documents
        assert all(c.labels != before[c.name] for c in case.claims if c.name in case.changed)


def test_a_calibrated_judge_lies_on_the_diagonal():
    score = np.repeat([0.25, 0.75], 40)
    true = np.array([1.0] * 10 + [0.0] * 30 + [1.0] * 30 + [0.0] * 10)
    assert calibration_error(true, score) == pytest.approx(0)
    assert calibration_error(true, np.ones(80)) == pytest.approx(0.5)


def test_thresholds_are_chosen_by_question():
    pairs = [
        RelevancePair(group="", question=question, title="", text="", relevant=relevant)
        for question, relevant in (("a", True), ("a", False), ("b", False), ("c", True))
    ]
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
