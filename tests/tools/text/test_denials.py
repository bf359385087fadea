"""Sentences made to deny what they say, and to say what they deny."""

import pytest

from errata.tools.text.denials import with_denial, without_denial


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The bridge was opened in 1932.", "The bridge was not opened in 1932."),
        ("He has visited Rome.", "He has not visited Rome."),
    ],
)
def test_a_sentence_is_denied(text, denied):
    assert list(with_denial(text)) == [denied]


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
    assert list(with_denial(text)) == []
    assert list(without_denial(text)) == []
