"""Questions with choices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.tools.text.questions import read_choice, split_choices

LETTERS = {"A": "bees", "B": "stones", "C": "the sea"}
NUMBERS = {"1": "bees", "2": "stones", "3": "the sea"}


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("Q?\nA: bees\nB: stones\nC: the sea", LETTERS),
        ("Q? A: bees; B: stones; C: the sea", LETTERS),
        ("Q? (A) bees (B) stones (C) the sea", LETTERS),
        ("Q?\nA. bees\nB. stones\nC. the sea", LETTERS),
        ("Q?\n1) bees\n2) stones\n3) the sea", NUMBERS),
        ("Who is J. B. Priestley?", {}),
        ("What does vitamin A: the first one, do?", {}),
        ("", {}),
    ],
)
def test_choices_are_found(question, choices):
    assert split_choices(question)[1] == choices


@pytest.mark.parametrize(
    ("choices", "reply", "key"),
    [
        (LETTERS, "B", "B"),
        (LETTERS, "(b)", "B"),
        (LETTERS, "**C**: the sea", "C"),
        (LETTERS, "The answer is B.", "B"),
        (LETTERS, "stones", "B"),
        (LETTERS, "It must be the sea, of course.", "C"),
        (LETTERS, "A sea of bees", "A"),
        (LETTERS, "2", "B"),
        (NUMBERS, "B", "2"),
        (LETTERS, "Neither.", ""),
        (LETTERS, "G", ""),
        ({}, "D", "D"),
        ({"A": "a cat", "B": "a dog"}, "A dog", "B"),
    ],
)
def test_choices_are_read_leniently(choices, reply, key):
    assert read_choice(choices, reply) == key


@given(st.text(max_size=60))
def test_a_reply_names_a_choice_or_none(reply):
    assert read_choice(LETTERS, reply) in {"", *LETTERS}
