"""Claims of a draft: extracted by local code, and a model's put at their sentences."""

import pytest

from errata.core.limits import Run, open_run
from errata.tools.local.extract import extract, place_claims
from example import before_and_after

ANN = "Who is Ann Lee?"


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        (ANN, "{She=>Ann Lee} was a writer."),
        (ANN, "{Her=>Ann Lee's} work was admired."),
        (ANN, "{She=>Ann Lee} was born in May 1815{, and=>. Ann Lee} died."),
        (ANN, "In May, as it fell, {she=>Ann Lee} left{ and=>. In May, as it fell, Ann Lee} sang."),
        (ANN, "Babbage built engines. It was late{, but he=>. He} was paid."),
        (ANN, '{She=>Ann Lee} starred in "King of New York". {She=>Ann Lee} lives in Rome.'),
        (ANN, "Ann Lee sang with Bo Ek. {He=>Ann Lee} has won awards."),
        (ANN, "Ann Lee sang. {She=>Ann Lee} won. Bo Ek ran. She left."),
        ("", "Ann Lee met Bo Ek. He left."),
        ("", "Ann Lee and Cy Lee sang. Lee won. {He=>Lee} left."),
        ("", "The mill is old. {It=>The mill} burned."),
        ("", "The mill is old. It was the miller who left."),
        ("", "Years later the firm had her from a dealer, Emil Tasch. It was a bargain."),
        ("", "Tasch's stock books were burned. It was a ring that gave him his name."),
        ("", "A half of these had more work. It could not be shown that this cost them sales."),
        ("", "Salt was made here from old salt. She left."),
        ("", "The mill is old. The barn was sold. It burned."),
        ("", "The mill is old. You can go in. {It=>The mill} has stairs."),
        (
            "",
            "Ann Lee was a mayor{,=>. Ann Lee} was a judge in 1972{, and=>. Ann Lee} has two sons.",
        ),
        ("", "Mercury is hot{, while the=>. The} moon is cold."),
        ("", "In 1900, Ann Lee wrote odes{ and=>. Ann Lee} later moved to Rome."),
        ("", 'Ann Lee worked with Lee "Scratch" Perry.'),
        ("", "The Chairman of the Bank, which was established by the government, resigned."),
        ("", "Ann Lee has two sons, Bo and Cy."),
        ("", "Ann Lee was awarded a medal in 1999 and made a Dame in 2001."),
        ("", "Ann Lee said that the mill was old and was sold."),
        ("", "Ann Lee is a cousin of William, Duke of York, and Harry, Duke of Kent."),
        ("", "Ann Lee married Bo Ek, who was a smith and died in 1990."),
        ("", "If Ann Lee wins, she goes to Rome and sings."),
    ],
)
def test_claims_stand_alone_and_a_sentence_whose_parts_cannot_be_told_apart_stays_whole(
    question, marked
):
    """A pronoun becomes the subject of the text or of the last sentence, if one fits."""
    draft, claims = before_and_after(marked)
    found = extract(question, draft)
    assert " ".join(claim.text for claim in found) == claims
    assert len(found) == claims.count(". ") + 1


@pytest.mark.parametrize(
    ("draft", "note"),
    [
        ("Ada sang.", []),
        ("<p>Ada sang.</p>\n\nBo ran.", ["1 block of HTML was not checked"]),
        (
            "Tom Hale and John Reed founded a firm. He won.",
            ["who is meant is open (Tom Hale or John Reed): “He won.”"],
        ),
    ],
)
def test_what_is_not_read_is_noted(draft, note):
    with open_run(Run()) as bounds:
        claims = extract("", draft)
    assert all(claim.text in draft and "<" not in claim.text for claim in claims)
    assert list(bounds.notes) == note


@pytest.mark.parametrize(
    ("draft", "language"),
    [
        ("Ada wrote notes. She died in 1852.", "en"),
        ("Elle est née à Londres et a écrit des notes. Elle est morte en 1852.", "fr"),
    ],
)
def test_a_claim_has_its_sentences_place_and_in_other_languages_its_words(draft, language):
    claims = extract("Who was Ada Lovelace?", draft, language)
    places = [draft[claim.start : claim.end] for claim in claims]
    assert (len(places), " ".join(places)) == (2, draft)
    assert ([claim.text for claim in claims] == places) == (language == "fr")


LIFE = [
    "Joey Vieira is an American actor, and was also known as Matie.",
    "He first appeared in films at the age of eight.",
    'In 1954, he played a boy named Porky in the series "Lassie".',
    "Vieira later wrote a book about the theatre, and acted in plays.",
    "He died in Los Angeles in 2012.",
]


@pytest.mark.parametrize(
    ("claims", "numbers"),
    [
        (
            "is an actor. was Matie. had films. was Porky. wrote. is an actor of plays. died.",
            [0, 0, 1, 2, 3, 3, 4],
        ),
        ("died in 2012. was known as Matie.", [4, 0]),
        ("had nothing alike xyz. was Porky.", [None, 2]),
    ],
)
def test_claims_keep_the_order_of_the_draft_unless_they_fit_only_before(claims, numbers):
    """A claim that fits no sentence has its place at the whole draft."""
    draft = " ".join(LIFE)
    texts = [f"Joey Vieira {claim.strip('. ')}." for claim in claims.split(". ")]
    placed = place_claims(draft, texts)
    assert [claim.text for claim in placed] == texts
    places = [draft if number is None else LIFE[number] for number in numbers]
    assert [draft[claim.start : claim.end] for claim in placed] == places
