"""Claims of a model at their sentences in the draft."""

import pytest

from errata.core.records import Claim
from errata.tools.local.extract import claim_spoken_of, place_claims

LIFE = [
    "Joey Vieira is an American actor, and was also known as Matie.",
    "He first appeared in films at the age of eight.",
    'In 1954, he played a boy named Porky in the series "Lassie".',
    "Vieira later wrote a book about the theatre, and acted in plays.",
    "He died in Los Angeles in 2012.",
]
DRAFT = " ".join(LIFE)


def place(*texts):
    """The number of each text's sentence; None for one that is placed at the whole draft."""
    placed = {claim.text: DRAFT[claim.start : claim.end] for claim in place_claims(DRAFT, texts)}
    return [None if placed[t] == DRAFT else LIFE.index(placed[t]) for t in texts]


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (
            [
                "Joey Vieira is an actor.",
                "Joey Vieira was known as Matie.",
                "Joey Vieira appeared in films.",
                "Joey Vieira played Porky.",
                "Joey Vieira wrote a book.",
                "Joey Vieira is an actor of plays.",
                "Joey Vieira died.",
            ],
            [0, 0, 1, 2, 3, 3, 4],
        ),
        (["Joey Vieira died in 2012.", "Joey Vieira was known as Matie."], [4, 0]),
        (["Nothing alike xyz.", "Porky was a boy."], [None, 2]),
    ],
)
def test_claims_keep_the_order_of_the_draft_unless_they_fit_only_before(texts, numbers):
    assert place(*texts) == numbers


def test_a_name_tells_more_than_many_words():
    draft = "He wrote books for the young, and plays. He wrote Emil."
    [claim] = place_claims(draft, ["Emil is for the young."])
    assert draft[claim.start : claim.end] == "He wrote Emil."


def test_without_claims_or_sentences_nothing_fails():
    assert place_claims("", []) == []
    [claim] = place_claims("", ["Ada sang."])
    assert (claim.id, claim.start, claim.end) == ("c1", 0, 0)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("When was Ada born? The text says 1865.", "Ada was born in 1865."),
        ("Did Ada have bees?", "Ada kept bees."),
        ("Did Ada sing?", None),
        ("xyzzy", None),
    ],
)
def test_a_text_speaks_of_the_claim_that_has_its_rare_words(text, claim):
    texts = ["Ada was born in 1865.", "Ada was a physicist.", "Ada kept bees."]
    claims = [Claim(id=each, text=each, start=0, end=1) for each in texts]
    found = claim_spoken_of(claims, text)
    assert (found and found.text) == claim


def test_a_text_speaks_of_the_only_claim_or_of_none():
    claim = Claim(id="c1", text="Ada kept bees.", start=0, end=1)
    assert claim_spoken_of([claim], "Did Ada sing?") == claim
    assert claim_spoken_of([], "Did Ada sing?") is None
