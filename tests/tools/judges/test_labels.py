"""Why the local verifier neither supports nor refutes a claim, and what it quotes."""

import pytest

from errata.core.records import Claim, Document
from errata.tools.judges.verifier import verify

FIRM = (
    "Northwind was founded in 2018 in Berlin. Its staff of 95 work in three offices. "
    "The founders met at a chess club. It sells weather stations to farmers."
)


def judge(text):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    return verify("", [claim], [Document(text=FIRM, id="d1")])[0]


@pytest.mark.parametrize(
    ("text", "reason", "explanation"),
    [
        ("Northwind sponsors a hockey team.", "absent", "the documents do not say this"),
        ("Northwind employs 140 people.", "absent", "the documents do not say this"),
        ("The founders met at a party.", "contradicted", "seem to say otherwise"),
        ("Farmers like its weather stations.", "not_understood", "could not tell"),
        ("It sells weather stations to farmers.", None, ""),
        ("Northwind was founded in 2016 in Berlin.", None, "the claim says 2016"),
    ],
)
def test_a_verdict_says_why_a_claim_is_not_mentioned(text, reason, explanation):
    verdict = judge(text)
    assert (verdict.label == "not_mentioned") == bool(reason)
    assert verdict.reason == reason
    assert explanation in verdict.explanation


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Northwind employs 140 people.", None),
        ("Northwind was founded in 2016 in Berlin.", "founded in 2018"),
        ("Northwind sells weather stations to farmers.", "weather stations"),
        ("Farmers like its weather stations.", "weather stations"),
        ("Northwind sponsors a hockey team.", None),
    ],
)
def test_a_quote_bears_on_its_claim(text, quote):
    quotes = judge(text).evidence
    assert quotes[0].text.count(quote) if quote else not quotes
