"""Claims extracted from a draft."""

import pytest

from errata.core.limits import Bounds, open_bounds
from errata.tools.local.extract import extract

ADA = "Who was Ada Lovelace?"


@pytest.mark.parametrize(
    ("draft", "claims"),
    [
        ("She was a writer.", ["Ada Lovelace was a writer."]),
        (
            "She was born on 10 December 1815 in London, and died in 1852.",
            ["Ada Lovelace was born on 10 December 1815 in London.", "Ada Lovelace died in 1852."],
        ),
        (
            "In 1843, she published notes and became known.",
            ["In 1843, Ada Lovelace published notes.", "In 1843, Ada Lovelace became known."],
        ),
        (
            "Babbage built engines. It was late, but he was paid.",
            ["Babbage built engines.", "It was late.", "He was paid."],
        ),
        ("A courageous and dedicated writer.", ["A courageous and dedicated writer."]),
        ("Her work was admired.", ["Ada Lovelace's work was admired."]),
    ],
)
def test_extract(draft, claims):
    assert [claim.text for claim in extract(ADA, draft)] == claims


@pytest.mark.parametrize(
    ("draft", "note"),
    [
        ("Ada sang.", []),
        ("<p>Ada sang.</p>\n\nBo ran.", ["1 block of HTML was not checked"]),
        ("<p>A</p>\n\n<p>B</p>", ["2 blocks of HTML were not checked"]),
    ],
)
def test_html_is_not_read_but_noted(draft, note):
    with open_bounds(Bounds(), 0) as bounds:
        claims = extract("", draft)
    assert not any("<" in claim.text for claim in claims)
    assert list(bounds.notes) == note


def test_a_claim_has_its_sentences_place():
    draft = "Ada wrote notes. She died in 1852."
    assert [draft[c.start : c.end] for c in extract(ADA, draft)] == [
        "Ada wrote notes.",
        "She died in 1852.",
    ]


def test_other_languages_keep_their_sentences_whole():
    draft = "Elle est née à Londres et a écrit des notes. Elle est morte en 1852."
    claims = extract(ADA, draft, "fr")
    assert [c.text for c in claims] == [draft[c.start : c.end] for c in claims]
    assert len(claims) == 2


WHO = "Who was Ruth Berg?"


@pytest.mark.parametrize(
    ("draft", "claims"),
    [
        (
            "She is best known for her role in Sex and the City.",
            ["Ruth Berg is best known for her role in Sex and the City."],
        ),
        (
            "She starred in the film War and Peace.",
            ["Ruth Berg starred in the film War and Peace."],
        ),
        (
            "In 1995, after the war ended, she moved to France and wrote two books.",
            [
                "In 1995, after the war ended, Ruth Berg moved to France.",
                "In 1995, after the war ended, Ruth Berg wrote two books.",
            ],
        ),
        (
            'She starred in "King of New York". She lives in Rome.',
            ['Ruth Berg starred in "King of New York".', "Ruth Berg lives in Rome."],
        ),
        (
            "She played beside Lee Byung-hun and Song Hye-kyo. She then retired.",
            [
                "Ruth Berg played beside Lee Byung-hun and Song Hye-kyo.",
                "Ruth Berg then retired.",
            ],
        ),
        (
            "Ruth Berg's first role was small. They sang.",
            ["Ruth Berg's first role was small.", "They sang."],
        ),
    ],
)
def test_claims_keep_titles_whole_and_carry_time_place_and_person(draft, claims):
    assert [claim.text for claim in extract(WHO, draft)] == claims


def test_a_pronoun_that_fits_two_people_stays_and_is_noted():
    draft = "Tom Hale and John Reed founded a firm. He became a lawyer. They moved to Rome."
    with open_bounds(Bounds()) as bounds:
        claims = [claim.text for claim in extract("", draft)]
    assert claims[1] == "He became a lawyer."
    assert list(bounds.notes) == [
        "who is meant is open (Tom Hale or John Reed): “He became a lawyer.”"
    ]


@pytest.mark.parametrize(
    ("draft", "claims"),
    [
        (
            "Ann Lee was a mayor, was named a judge in 1972, and has two sons.",
            ["Ann Lee was a mayor.", "Ann Lee was named a judge in 1972.", "Ann Lee has two sons."],
        ),
        (
            "Mercury is hot, while the moon is cold.",
            ["Mercury is hot.", "The moon is cold."],
        ),
        (
            "In 1900, Ann Lee wrote odes and later moved to Rome.",
            ["In 1900, Ann Lee wrote odes.", "Ann Lee later moved to Rome."],
        ),
    ],
)
def test_parts_of_a_sentence_that_claim_something_are_claims(draft, claims):
    assert [claim.text for claim in extract("", draft)] == claims


@pytest.mark.parametrize(
    "sentence",
    [
        'Ann Lee worked with Lee "Scratch" Perry.',
        "The Chairman of the Bank, which was established by the government, resigned.",
        "The flight had three crew members: Neil Armstrong, Buzz Aldrin and Michael Collins.",
        "Ann Lee has two sons, Bo and Cy.",
        "Ann Lee was awarded a medal in 1999 and made a Dame in 2001.",
        "Ann Lee was born and raised in York.",
        "Ann Lee said that the mill was old and was sold.",
        "The sign stands for Ann Lee or Bo Ek.",
        "Ann Lee is a cousin of William, Duke of York, and Harry, Duke of Kent.",
        "Ann Lee sang the song by Bo Ek, which was a hit.",
        "Ann Lee married Bo Ek, who was a smith and died in 1990.",
        "Ann Lee was a computer and printer manufacturer.",
        "If Ann Lee wins, she goes to Rome and sings.",
    ],
)
def test_a_sentence_whose_parts_cannot_be_told_apart_stays_whole(sentence):
    assert [claim.text for claim in extract("", sentence)] == [sentence]


@pytest.mark.parametrize(
    ("question", "draft", "last"),
    [
        (
            "Who is Ann Lee?",
            "Ann Lee sang with Bo Ek. He has won awards.",
            "Ann Lee has won awards.",
        ),
        ("Who is Ann Lee?", "Ann Lee sang. Her songs sold. She won.", "Ann Lee won."),
        ("Who is Ann Lee?", "Ann Lee sang. She won. Bo Ek ran. She left.", "She left."),
        ("", "Ann Lee met Bo Ek. He left.", "He left."),
        ("", "Ann Lee and Cy Lee sang. Lee won. He left.", "Lee left."),
        ("", "The mill is old. It burned.", "The mill burned."),
        ("", "The mill is old. The barn was sold. It burned.", "It burned."),
        ("", "The mills are old. They burned.", "The mills burned."),
    ],
)
def test_a_pronoun_is_the_subject_of_the_text_or_the_last_sentence_if_one_fits(
    question, draft, last
):
    assert extract(question, draft)[-1].text == last
