"""How many characters two texts are apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.evals.metrics.distance import edit_distance, preservation

WORDS = st.text("abc é", max_size=30)


def by_table(one, other):
    """The distance by the textbook's table."""
    row = list(range(len(other) + 1))
    for number, character in enumerate(one, start=1):
        before, row[0] = row[0], number
        for place, wanted in enumerate(other, start=1):
            cost = min(row[place] + 1, row[place - 1] + 1, before + (character != wanted))
            before, row[place] = row[place], cost
    return row[-1]


@given(WORDS, WORDS)
def test_it_is_what_the_textbooks_table_says(one, other):
    assert edit_distance(one, other) == by_table(one, other)


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        ("", "", 1.0),
        ("", "new", 1.0),
        ("four", "four", 1.0),
        ("four", "", 0.0),
        ("ab", "abcdef", 0.0),
    ],
)
def test_the_share_that_is_kept_stays_between_0_and_1(before, after, share):
    assert preservation(before, after) == share
