"""Sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.limits import Bounds
from errata.tools.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("Dr. Smith of St. Louis won. He left.", ["Dr. Smith of St. Louis won.", "He left."]),
        (
            'He was in "The Abyss." On stage he sang.',
            ['He was in "The Abyss."', "On stage he sang."],
        ),
        ("It ended.[1] He left.[2]", ["It ended.[1]", "He left.[2]"]),
        ("a line\n\n another. ", ["a line", "another."]),
        ("😀 Élan. 日本。", ["😀 Élan.", "日本。"]),
        ("", []),
    ],
)
def test_sentences(text, expected):
    assert [text[a:b] for a, b in split_sentences(text)] == expected


@given(st.text(max_size=200))
def test_sentences_lose_only_whitespace(text):
    places = split_sentences(text)
    joined = "".join(text[a:b] for a, b in places)
    assert "".join(joined.split()) == "".join(text.split())
    assert all(a < b for a, b in places)


@pytest.mark.parametrize("text", ["word " * 20_000, "9," * 20_000, f"({'word ' * 20_000})."])
def test_sentences_over_the_limit_are_cut_and_lose_no_word(text):
    pieces = [text[start:end] for start, end in split_sentences(text)]
    assert max(map(len, pieces)) <= Bounds().max_sentence
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
