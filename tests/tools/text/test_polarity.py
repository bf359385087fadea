"""Sentences made to deny what they say, and to say what they deny."""

import pytest

from errata.tools.text.polarity import affirm, deny


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Venus has a magnetic field.", "Venus does not have a magnetic field."),
        ("The towns had any help.", "The towns did not have any help."),
        ("The bridge was opened in 1932.", "The bridge was not opened in 1932."),
        ("Marta founded the company.", "Marta did not found the company."),
        ("He has visited Rome.", "He has not visited Rome."),
    ],
)
def test_a_sentence_is_denied(text, denied):
    assert list(deny(text)) == [denied]


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("Venus has no atmosphere.", "Venus has an atmosphere."),
        ("The guide did not like the hall.", "The guide did like the hall."),
        ("It cannot fly.", "It can fly."),
        ("It wasn't sold.", "It was sold."),
        ("She never married.", "She married."),
    ],
)
def test_a_denial_is_taken_out(text, affirmed):
    assert list(affirm(text)) == [affirmed]


@pytest.mark.parametrize("text", ["Members may vote.", "Rome.", ""])
def test_where_no_rule_fits_nothing_is_made(text):
    assert list(deny(text)) == []
    assert list(affirm(text)) == []
