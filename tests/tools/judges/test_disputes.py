"""Documents that disagree: neither silently supported nor refuted."""

import pytest

from errata.core.records import Claim, Document, Verdict
from errata.tools.judges.differences import find_disputes, mark_disputes
from errata.tools.judges.verifier import verify

OLD = Document(id="old", title="Leaflet of 2012", text="The Brunn choir has 40 singers.")
NEW = Document(id="new", title="Programme, 2023", text="The Brunn choir has 62 singers.")
UNDATED = Document(id="u", title="A visit to the choir", text="The Brunn choir has 62 singers.")


def claim(text):
    return [Claim(id="c1", text=text, start=0, end=len(text))]


@pytest.mark.parametrize("weights", ["", "lexical"])
@pytest.mark.parametrize(
    ("text", "documents", "label"),
    [
        ("The Brunn choir has 40 singers.", (OLD, NEW), "conflicting"),
        ("The Brunn choir has 62 singers.", (OLD, NEW), "supported"),
        ("The Brunn choir has 40 singers.", (OLD, UNDATED), "conflicting"),
        ("The Brunn choir has 62 singers.", (OLD, UNDATED), "conflicting"),
        ("The Brunn choir has 55 singers.", (OLD, NEW), "refuted"),
    ],
)
def test_the_newer_document_counts_and_both_are_quoted(weights, text, documents, label):
    [verdict] = verify("", claim(text), documents, weights)
    assert verdict.label == label
    if label != "refuted":
        assert {quote.document for quote in verdict.evidence} == {d.id for d in documents}
        assert "the documents disagree: " in verdict.explanation
        assert "2012" in verdict.explanation


def test_a_document_agrees_with_itself():
    text = "The Brunn choir had 40 singers in 2012. The Brunn choir has 62 singers."
    [verdict] = verify("", claim("The Brunn choir has 62 singers."), [Document(id="d", text=text)])
    assert verdict.label == "supported"


def test_a_model_does_not_support_in_silence_what_documents_disagree_on():
    claims = claim("The Brunn choir has 40 singers.")
    for label, marked in (("supported", "conflicting"), ("refuted", "refuted")):
        verdicts = [Verdict(claim="c1", label=label)]
        [verdict] = mark_disputes("", claims, verdicts, (OLD, NEW))
        assert verdict.label == marked


def test_an_answer_s_disputes_are_named_with_their_documents():
    [dispute] = find_disputes("", "The Brunn choir has 40 singers. It is small.", (OLD, NEW))
    assert dispute == ("the documents disagree: 40 by “Leaflet of 2012”; 62 by “Programme, 2023”")
