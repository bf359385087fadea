"""A result as one HTML file that needs nothing else, not even JavaScript."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from errata.core.errors import InputError, count
from errata.core.notebook import describe_skipped, label_with_score
from errata.core.records import Answer, Correction, Document, Edit, Verdict
from errata.render.text import (
    describe_claims,
    describe_cost,
    describe_label,
    describe_retrieval,
)


@dataclass(frozen=True)
class Source:
    """A document's title, and its address where that is a web page."""

    title: str
    link: str


@dataclass(frozen=True)
class Row:
    """A claim beside its verdict."""

    id: str
    text: str
    label: str
    """Its label in words, with the score."""
    kind: str
    """How it is coloured: its label, or `unmended`."""
    verdict: Verdict


@dataclass(frozen=True)
class Stretch:
    """A stretch of the draft as it stands, or an edit with the claims it rests on."""

    text: str = ""
    edit: Edit | None = None
    claims: tuple[Row, ...] = ()


def write_report(result: Correction | Answer, path: Path) -> None:
    """Write a report to a file.

    Raises InputError if the file cannot be written.
    """
    try:
        path.write_text(report(result), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error


def report(result: Correction | Answer) -> str:
    """A report as HTML; all text of drafts and documents is escaped."""
    from jinja2 import Environment

    text = files("errata.render").joinpath("report.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)
    shared = {
        "question": result.question,
        "sources": {document.id: source_of(document) for document in result.documents},
        "notes": result.notes,
    }
    if isinstance(result, Answer):
        return template.render(**shared, answer=result, summary=_answer_summary(result))
    rows = rows_of(result)
    return template.render(
        **shared,
        correction=result,
        claims=rows,
        stretches=stretches_of(result, rows),
        skipped=describe_skipped(result.skipped),
        summary=_correction_summary(result),
    )


def source_of(document: Document) -> Source:
    """How a document is named; only http and https addresses become links."""
    web = urlsplit(document.url).scheme in ("http", "https")
    return Source(document.title or document.url or document.id, document.url if web else "")


def rows_of(correction: Correction) -> list[Row]:
    """Every claim with its verdict."""
    texts = {claim.id: claim.text for claim in correction.claims}
    return [
        Row(
            id=verdict.claim,
            text=texts[verdict.claim],
            label=label_with_score(verdict, correction.unmended),
            kind="unmended" if verdict.claim in correction.unmended else verdict.label,
            verdict=verdict,
        )
        for verdict in correction.verdicts
    ]


def stretches_of(correction: Correction, rows: list[Row]) -> list[Stretch]:
    """The draft from left to right, edits in their places."""
    stretches, place = list[Stretch](), 0
    by_claim = {row.id: row for row in rows}
    for edit in correction.edits:
        claims = tuple(by_claim[claim] for claim in edit.claims if claim in by_claim)
        stretches.append(Stretch(correction.draft[place : edit.start]))
        stretches.append(Stretch(edit=edit, claims=claims))
        place = edit.end
    return [*stretches, Stretch(correction.draft[place:])]


def _correction_summary(result: Correction) -> str:
    return (
        f"{result.method}: {describe_label(result)}; {describe_claims(result)}; "
        f"{count(result.edits, 'edit')}, {describe_cost(result)}"
    )


def _answer_summary(result: Answer) -> str:
    return (
        f"{result.method}: {describe_retrieval(result)}{count(result.knowledge, 'strip')}, "
        f"{describe_cost(result)}"
    )
