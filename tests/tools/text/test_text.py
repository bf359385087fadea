"""Sentences, words, pronouns, entities, strips, language."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.records import Document
from errata.tools.text.entities import agree, find_entities
from errata.tools.text.language import detect_foreign_language
from errata.tools.text.pronouns import ANY_PRONOUN, PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.questions import question_entity, topic_stems
from errata.tools.text.sentences import split_sentences
from errata.tools.text.strips import MAX_WORDS, split_strips
from errata.tools.text.words import split_words, stem


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on April 27, 1949", [("date", "1949-4-27")]),
        ("on 27th of April 1949", [("date", "1949-4-27")]),
        ("in May 2003", [("date", "2003-5-?")]),
        ("in the 1970s and 1984", [("year", "1970s"), ("year", "1984")]),
        ("won 3 of 1,500 and twenty", [("number", "3"), ("number", "1500"), ("number", "20")]),
        ("the third and 3rd", [("number", "3th"), ("number", "3th")]),
        ("King of New York met Li", [("name", "king new york"), ("name", "li")]),
        ("Apollo 11 flew", [("name", "apollo 11")]),
        ("Lanny FlahertyBorn", [("name", "lanni flaherti"), ("name", "born")]),
        ("James McAvoy", [("name", "jame mc avoy")]),
        ("He was The", []),
    ],
)
def test_entities(text, expected):
    assert [(entity.kind, entity.key) for entity in find_entities(text)] == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("27 April 1949", "April 27, 1949", True),
        ("April 1949", "April 27, 1949", True),
        ("1949", "April 27, 1949", True),
        ("1950", "April 27, 1949", False),
        ("28 April 1949", "April 27, 1949", False),
        ("two", "2", True),
    ],
)
def test_entities_agree_across_spellings(ours, theirs, same):
    assert agree(find_entities(ours)[0], find_entities(theirs)[0]) is same


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


@pytest.mark.parametrize(
    ("question", "entity", "stems"),
    [
        ("Who was Marie Curie?", "Marie Curie", {"mari", "curi"}),
        ("Was Rome in Italy?", "Italy", {"rome", "itali"}),
        ("who was she?", "", set()),
    ],
)
def test_what_a_question_is_about(question, entity, stems):
    assert question_entity(question) == entity
    assert topic_stems(question) == stems


@given(st.text(max_size=300))
def test_strips_are_quotes_of_their_document(text):
    for strip in split_strips(Document(id="d1", text=text)):
        assert text[strip.start : strip.end] == strip.text
        assert len(strip.words) <= MAX_WORDS


def test_a_long_sentence_is_cut_into_short_strips():
    text = "word " * 150
    assert [len(strip.words) for strip in split_strips(Document(id="d", text=text))] == [70, 70, 10]


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
    assert detect_foreign_language(text) == language
