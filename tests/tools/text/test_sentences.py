"""Sentences and their parts: clauses, pronouns that begin them, denials, strips, their language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.limits import Bounds
from errata.core.records import Document
from errata.tools.text.clauses import parse_clauses
from errata.tools.text.denials import without_denial
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.pronouns import ANY_PRONOUN, PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.sentences import split_sentences
from errata.tools.text.strips import MAX_WORDS, split_strips
from strategies import DRAFTS


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


@given(DRAFTS)
def test_every_clause_claims_something_and_stands_in_its_sentence(sentence):
    leaves = parse_clauses(sentence, "Ada")
    assert leaves or not sentence.strip()
    assert all(0 <= leaf.start <= leaf.end <= len(sentence) for leaf in leaves)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "The tower, which was designed in 1950, is 94 m tall, has 4 lifts, and cost 3 million.",
            [
                "The tower was designed in 1950.",
                "The tower is 94 m tall.",
                "The tower has 4 lifts.",
                "The tower cost 3 million.",
            ],
        ),
        ("Anna Berg, born in Oslo, died in 1990.", ["was born in Oslo.", "died in 1990."]),
        ('Lee "Scratch" Perry produced dub records.', ["produced dub records."]),
        ("The tower, which Jon Ek designed, is high.", ["which Jon Ek designed, is high."]),
        ("The head of the bank, which was founded in 1950, left.", ["1950, left."]),
        ("She said that he left, took the car, and was gone.", ["and was gone."]),
        ("It had three members: Al Orr, Bo Ek and Cy Lee.", ["Al Orr, Bo Ek and Cy Lee."]),
    ],
)
def test_each_predicate_is_a_claim_of_the_subject(sentence, claims):
    found = [part.claim for part in parse_clauses(sentence)]
    assert len(found) == len(claims)
    assert all(claim.endswith(end) for claim, end in zip(found, claims, strict=True))


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
    assert detect_foreign_draft(text) == language
