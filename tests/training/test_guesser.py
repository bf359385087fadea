"""The guesser finds labels that claims give away, and no others."""

import pytest

from errata.training.guesser import guess, measure
from errata.training.pairs import Pair

LABELS = ("supported", "refuted", "not_mentioned")


def pairs(wording):
    """300 claims of three labels; `wording` makes a claim from its number and label."""
    return [
        Pair(f"g{n}", "toy", wording(n, LABELS[n % 3]), "evidence", (LABELS[n % 3],))
        for n in range(300)
    ]


@pytest.mark.parametrize(
    ("wording", "low", "high"),
    [
        (lambda n, label: f"Bee {n} is {label}.", 0.9, 1.0),
        (lambda n, _: f"Bee {n // 3} is in hive {n // 9}.", 0.0, 0.5),
    ],
)
def test_wording_that_gives_labels_away_is_found(wording, low, high):
    rows = pairs(wording)
    found = measure(rows, guess(rows))
    assert found.keys() == {"toy", "all"}
    assert low <= found["toy"]["guessed"] <= high
    assert found["toy"]["commonest"] == pytest.approx(1 / 3, abs=0.01)
