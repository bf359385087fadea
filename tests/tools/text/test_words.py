"""Words and their stems."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from errata.tools.text.words import LONGEST, remember_short, split_words, stem


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("FlahertyBorn(1942-07-27)July", ["flaherti", "born", "1942", "07", "27", "juli"]),
        ("O'Brien's 1,000.5 films", ["o'brien", "1000.5", "film"]),
        ("AT&T R&B P.I.", ["at&t", "r&b", "p.i"]),
        ("日本 São", ["日本", "são"]),
    ],
)
def test_words(text, stems):
    assert [word.stem for word in split_words(text)] == stems


def test_words_are_the_same_in_every_thread():
    """The stemmer keeps its word in itself: two threads must not share one."""
    texts = [f"{a}{b}ations {b}{a}nesses" for a in "bcdfghklmn" for b in ("actu", "relo", "happi")]
    expected = [[stem.__wrapped__(word) for word in text.split()] for text in texts]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            stems = list(pool.map(lambda t: [stem.__wrapped__(w) for w in t.split()], texts * 20))
    finally:
        sys.setswitchinterval(usual)
    assert stems == expected * 20


def counting():
    """A function that finds a text's letters, and the texts that it has looked into."""
    asked = []

    @remember_short(2)
    def letters(text):
        asked.append(text)
        return iter(text)

    return letters, asked


def test_a_short_text_is_looked_into_once_and_each_caller_has_a_list_of_its_own():
    letters, asked = counting()
    letters("ab").append("c")
    assert letters("ab") == ["a", "b"]
    assert asked == ["ab"]


def test_the_texts_asked_for_last_are_remembered():
    letters, asked = counting()
    for text in ("a", "b", "c", "c", "b", "a"):
        assert letters(text) == [text]
    assert asked == ["a", "b", "c", "a"]


def test_a_long_text_is_looked_into_every_time():
    letters, asked = counting()
    text = "a" * (LONGEST + 1)
    assert letters(text) == letters(text) == list(text)
    assert len(asked) == 2
