"""Pronouns that begin a text."""

import pytest

from errata.tools.text.pronouns import ANY_PRONOUN, PERSONAL_PRONOUN, replace_pronoun


@pytest.mark.parametrize(
    ("text", "pronoun", "replaced"),
    [
        ("She sang.", ANY_PRONOUN, "James sang."),
        ("its roof", ANY_PRONOUN, "James' roof"),
        ("It fell.", ANY_PRONOUN, "James fell."),
        ("Theirs is small.", ANY_PRONOUN, "Theirs is small."),
        ("His aim", PERSONAL_PRONOUN, "James' aim"),
        ("It fell.", PERSONAL_PRONOUN, "It fell."),
        ("she sang.", PERSONAL_PRONOUN, "she sang."),
    ],
)
def test_a_leading_pronoun_is_replaced(text, pronoun, replaced):
    assert replace_pronoun(text, "James", pronoun) == replaced
    assert replace_pronoun(text, "", pronoun) == text
