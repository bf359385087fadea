"""Sentences made to say what they deny."""

import pytest

from errata.tools.text.clauses import without_denial


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("The guide did not like the hall.", "The guide did like the hall."),
        ("It cannot fly.", "It can fly."),
        ("It wasn't sold.", "It was sold."),
        ("She never married.", "She married."),
    ],
)
def test_a_denial_is_taken_out(text, affirmed):
    assert list(without_denial(text)) == [affirmed]


@pytest.mark.parametrize("text", ["Members may vote.", "Rome.", ""])
def test_where_no_rule_fits_nothing_is_made(text):
    assert list(without_denial(text)) == []
