"""Texts cut into sentences, strips and words; their language."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Document
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.sentences import MAX_SENTENCE, MAX_WORDS, split_sentences, split_strips
from errata.tools.text.words import split_words, stem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("Dr. Smith of St. Louis won. He left.", ["Dr. Smith of St. Louis won.", "He left."]),
        ('He was in "The Abyss." He sang.', ['He was in "The Abyss."', "He sang."]),
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
    assert max(map(len, pieces)) <= MAX_SENTENCE
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


@given(st.text(max_size=300))
def test_strips_are_short_quotes_of_their_document(text):
    for strip in split_strips(Document(id="d1", text=text)):
        assert text[strip.start : strip.end] == strip.written
        assert len(strip.words) <= MAX_WORDS


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


@pytest.mark.usefixtures("eager_threads")
def test_words_are_the_same_in_every_thread():
    """The stemmer keeps its word in itself: two threads must not share one."""
    texts = [f"{a}{b}ations {b}{a}nesses" for a in "bcdfghklmn" for b in ("actu", "relo", "happi")]

    def stems(text):
        return [stem.__wrapped__(word) for word in text.split()]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stems, texts * 20)) == [stems(text) for text in texts] * 20


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Marie Curie est née à Varsovie et a étudié à Paris.", "fr"),
        ("Die Stadt wurde im Jahr 1300 gegründet und liegt am Rhein.", "de"),
        ("東京は日本の首都です。", "ja"),
        ("Marie Curie was born in Warsaw.", ""),
        ("Thijs van Leer sang vocals.", ""),
        ("She was born on September 24, 1893, in Nigeria and won a prize.", ""),
        ("Paris.", ""),
        ("", ""),
    ],
)
def test_foreign_languages(text, language):
    assert detect_foreign_draft(text) == language
