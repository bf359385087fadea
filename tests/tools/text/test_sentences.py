"""Texts cut into sentences, strips and words; their language."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Document
from errata.tools.text.sentences import MAX_WORDS, split_sentences, split_strips
from errata.tools.text.words import stem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("Dr. Smith of St. Louis won. He left.", ["Dr. Smith of St. Louis won.", "He left."]),
        ('He was in "The Abyss." He sang.', ['He was in "The Abyss."', "He sang."]),
        ("They met on 14 May. Ann sang.", ["They met on 14 May.", "Ann sang."]),
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


@given(st.text(max_size=300))
def test_strips_are_short_quotes_of_their_document(text):
    for strip in split_strips(Document(id="d1", text=text)):
        assert text[strip.start : strip.end] == strip.written
        assert len(strip.words) <= MAX_WORDS


@pytest.mark.usefixtures("eager_threads")
def test_words_are_the_same_in_every_thread():
    """The stemmer keeps its word in itself: two threads must not share one."""
    texts = [f"{a}{b}ations {b}{a}nesses" for a in "bcdfghklmn" for b in ("actu", "relo", "happi")]

    def stems(text):
        return [stem.__wrapped__(word) for word in text.split()]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stems, texts * 20)) == [stems(text) for text in texts] * 20
