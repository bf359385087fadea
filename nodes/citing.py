"""Sources of what is handed out: marks in its text, and citations in its message."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from langchain_core.messages import AIMessage
from langchain_core.messages.content import Citation

from errata.core.edits import Span, apply_edits, places_after
from errata.core.errors import OutOfTimeError
from errata.core.jsonable import from_json
from errata.core.limits import note_undone
from errata.core.records import Answer, Claim, Correction, Document, Edit, Quote, Verdict
from errata.nodes.state import NAME
from errata.tools.judges.verifier import verify
from errata.tools.local.hedge import is_mark
from errata.tools.text.references import read_cited
from errata.tools.text.written import CiteStyle, Statement, address_of, link_to, write_marks

UNMARKED = "the sources were not marked"


def mark_correction(
    draft: str,
    edits: Sequence[Edit],
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    style: CiteStyle,
) -> list[Edit]:
    """The edits that put marks into the corrected text; none, and a note, without time."""
    by_claim, whole = {verdict.claim: verdict for verdict in verdicts}, (0, len(draft))
    placed = [claim for claim in claims if (claim.start, claim.end) != whole] or claims
    statements = list[Statement]()
    for claim in placed:
        start, end = _place_after((claim.start, claim.end), edits)
        own = [edit for edit in edits if claim.id in edit.claims and not is_mark(edit)]
        verdict = by_claim.get(claim.id)
        bears = verdict is not None and verdict.label == "supported"
        if start < end and (bears or not own or any(edit.after.strip() for edit in own)):
            quote = _quote_of(verdict, own)
            statements.append(Statement(claim=claim.id, start=start, end=end, quote=quote))
    try:
        return write_marks(apply_edits(draft, edits), statements, documents, style)
    except OutOfTimeError as error:
        note_undone(f"{UNMARKED}: {error}")
        return []


def _place_after(span: Span, edits: Iterable[Edit]) -> Span:
    """Where a stretch of the draft stands once the edits are made."""
    start, end = span
    for edit in edits:
        growth = len(edit.after) - len(edit.before)
        start += growth if edit.end <= span[0] else 0
        end += growth if edit.start < span[1] else 0
    return start, end


def _quote_of(verdict: Verdict | None, edits: Iterable[Edit]) -> Quote | None:
    """The quote that supports a claim as it now reads; None if there is none."""
    if verdict is None:
        return None
    if verdict.label == "supported":
        return next(iter(verdict.evidence), None)
    shown = [quote for edit in edits for quote in edit.evidence]
    return next((quote for quote in verdict.evidence if quote in shown), next(iter(shown), None))


def mark_answer(
    question: str, answer: str, documents: Sequence[Document], style: CiteStyle
) -> list[Edit]:
    """The edits that mark an answer's sentences which hold; raises OutOfTimeError without time."""
    real = [document for document in documents if document.source != "model"]
    claims = [
        Claim(id=f"s{number}", text=sentence.text, start=sentence.start, end=sentence.end)
        for number, sentence in enumerate(read_cited(answer)[0], start=1)
    ]
    verdicts = verify(question, claims, real) if claims and real else []
    return mark_correction(answer, [], claims, verdicts, real, style)


def citations_of(result: Correction | Answer) -> list[Citation]:
    """The citations of a result's marks."""
    marks = [from_json(Edit, mark) for mark in result.trail.get("marks", ())]
    return find_citations(marks, result.documents)


def find_citations(marks: Iterable[Edit], documents: Iterable[Document]) -> list[Citation]:
    """The marks of a text as LangChain's citations, placed as those of chat models are."""
    by_id, citations = {document.id: document for document in documents}, list[Citation]()
    for (start, end), edit in places_after(marks):
        for quote in edit.evidence:
            document = by_id[quote.document]
            address = address_of(document)
            url = address and link_to(address, quote.text)
            fields = {"url": url, "title": document.title, "cited_text": quote.text}
            known: dict[str, Any] = {name: text for name, text in fields.items() if text}
            place = {"start_index": start, "end_index": end}
            citations.append(cast("Citation", {"type": "citation", **known, **place}))
    return citations


STANDARD = {"output_version": "v1"}
"""What a message's metadata say whose content is in LangChain's standard form: providers then read
the citations as theirs, or leave them out where their API takes none."""


def text_block(text: str, citations: Sequence[Citation]) -> dict[str, Any]:
    """A text with its citations as a block of a message's content."""
    return {"type": "text", "text": text, "annotations": [*citations]}


def as_message(text: str, citations: Sequence[Citation], record: Mapping[str, Any]) -> AIMessage:
    """Our message, with what it rests on under `errata`; a plain text if there are no citations."""
    kwargs, metadata = {"errata": dict(record)}, STANDARD if citations else {}
    content: Any = [text_block(text, citations)] if citations else text
    return AIMessage(content, name=NAME, additional_kwargs=kwargs, response_metadata=metadata)
