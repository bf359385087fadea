"""The clauses of a sentence."""

import pytest
from hypothesis import given

from errata.tools.text.clauses import parse_clauses
from strategies import DRAFTS


@given(DRAFTS)
def test_every_sentence_claims_something(sentence):
    assert parse_clauses(sentence, "Ada") or not sentence.strip()


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
    found = parse_clauses(sentence)
    assert len(found) == len(claims)
    assert all(claim.endswith(end) for claim, end in zip(found, claims, strict=True))
