"""Claims corrected by local code."""

import pytest

from errata.core.records import Claim, Document
from errata.tools.local.correct import correct
from example import BIOGRAPHY, CLAIMS, QUESTION


def correct_claim(text, *documents):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    return correct(QUESTION, [claim], documents or [BIOGRAPHY])


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("Marie Curie was born on 7 November 1865.", "Marie Curie was born on 7 November 1867."),
        ("She was born on March 2, 1869.", "She was born on November 7, 1867."),
        ("Marie Curie died in 1935.", "Marie Curie died in 1934."),
        ("She was born in Krakow.", "She was born in Warsaw."),
        ("Marie Curie married Pierre Curie in 1897.", "Marie Curie married Pierre Curie in 1895."),
    ],
)
def test_corrections(text, corrected):
    [fix] = correct_claim(text)
    assert fix.text == corrected
    [quote, *_] = fix.evidence
    assert BIOGRAPHY.text[quote.start : quote.end] == quote.text
    assert "the evidence says" in fix.explanation


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie was born on 7 November 1867.",
        "Marie Curie was elected mayor of Lyon in 1911.",
        "Marie Curie lived in Paris until 1920.",
        "Pierre Curie was born in 1858.",
        "She met Albert Einstein.",
    ],
)
def test_claims_without_a_clear_contradiction_are_not_corrected(text):
    assert correct_claim(text) == []


def test_inconsistent_evidence_corrects_nothing():
    other = Document(
        id="o", text="Marie Curie (born 8 May 1870 – died 4 July 1934) was a physicist."
    )
    assert correct_claim(CLAIMS[0], BIOGRAPHY, other) == []
