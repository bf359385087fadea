"""A text judged and mended by what a passage says to a query about it."""

from collections.abc import Sequence
from dataclasses import replace

from errata.edits import apply_edits
from errata.records import Document, Knowledge, Verdict
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.local.extract import extract
from errata.tools.local.placement import claim_spoken_of
from errata.tools.local.revise import revise


def judge_by_passage(
    question: str, text: str, query: str, passage: Knowledge, weights: str = ""
) -> Verdict:
    """The verdict on the claim of the text that the query speaks of.

    It is `not_mentioned` if the query speaks of none. Quotes count characters in the passage's
    document. Raises OutOfTimeError.
    """
    claim = claim_spoken_of(extract(question, text), query)
    if claim is None:
        return Verdict(claim="", label="not_mentioned", explanation="no claim speaks of this")
    [verdict] = verify(question, [claim], [_document(passage)], weights)
    quotes = (
        replace(quote, start=quote.start + passage.start, end=quote.end + passage.start)
        for quote in verdict.evidence
    )
    return replace(verdict, evidence=tuple(quotes))


def correct_by_passage(
    question: str, text: str, query: str, passage: Knowledge, weights: str = ""
) -> str:
    """The text with the claim that the query speaks of as the passage has it, where that is sure.

    Raises OutOfTimeError.
    """
    return correct_text(question, text, [query], [_document(passage)], weights)


def correct_text(
    question: str,
    text: str,
    problems: Sequence[str],
    documents: Sequence[Document],
    weights: str = "",
) -> str:
    """The text with the claims that problems speak of as documents have them, where that is sure.

    Raises OutOfTimeError.
    """
    claims = extract(question, text)
    found = {claim.id: claim for p in problems if (claim := claim_spoken_of(claims, p))}
    fixes = correct(question, [*found.values()], documents, weights)
    edits, _ = revise(question, text, claims, fixes)
    return apply_edits(text, edits)


def _document(passage: Knowledge) -> Document:
    return Document(id=passage.document, text=passage.text)
