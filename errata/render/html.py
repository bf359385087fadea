"""A Correction or an Answer as one HTML file that needs nothing else, not even JavaScript."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from errata.errors import InputError
from errata.records import Answer, Correction, Document, Edit, Verdict
from errata.render.terminal import label_with_score


@dataclass(frozen=True)
class Source:
    """Hold how a document is named, and where it leads to if that is a web page."""

    title: str
    link: str


@dataclass(frozen=True)
class Judged:
    """Hold a claim beside its verdict."""

    id: str
    text: str
    name: str
    verdict: Verdict


@dataclass(frozen=True)
class Piece:
    """Hold a stretch of the draft as it stands, or an edit with the claims it rests on."""

    text: str = ""
    edit: Edit | None = None
    claims: tuple[Judged, ...] = ()


def write_report(result: Correction | Answer, path: Path) -> None:
    """Write a report to a file.

    Raises InputError where the file cannot be written.
    """
    try:
        path.write_text(report(result), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error


def report(result: Correction | Answer) -> str:
    """Give a report as HTML; all text of drafts and documents is escaped."""
    from jinja2 import Environment

    text = files("errata.render").joinpath("report.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)
    shared = {
        "question": result.question,
        "sources": {document.id: source(document) for document in result.documents},
        "notes": result.notes,
    }
    if isinstance(result, Answer):
        return template.render(**shared, answer=result, summary=_answered(result))
    claims = judged(result)
    return template.render(
        **shared,
        correction=result,
        claims=claims,
        pieces=pieces(result, claims),
        summary=_corrected(result),
    )


def source(document: Document) -> Source:
    """Name a document; only http and https addresses become links."""
    web = urlsplit(document.url).scheme in ("http", "https")
    return Source(document.title or document.url or document.id, document.url if web else "")


def judged(correction: Correction) -> list[Judged]:
    """Give every claim with its verdict."""
    texts = {claim.id: claim.text for claim in correction.claims}
    return [Judged(v.claim, texts[v.claim], label_with_score(v), v) for v in correction.verdicts]


def pieces(correction: Correction, claims: list[Judged]) -> list[Piece]:
    """Give the draft from left to right, edits in their places."""
    found, place = list[Piece](), 0
    for edit in correction.edits:
        mine = tuple(claim for claim in claims if claim.id in edit.claims)
        found += [Piece(correction.draft[place : edit.start]), Piece(edit=edit, claims=mine)]
        place = edit.end
    return [*found, Piece(correction.draft[place:])]


def _corrected(found: Correction) -> str:
    return (
        f"{found.method}: {found.label.replace('_', ' ')}; {len(found.claims)} claims, "
        f"{len(found.edits)} edits, {found.usage.model_calls} model calls"
    )


def _answered(found: Answer) -> str:
    return (
        f"{found.method}: {found.action}; {len(found.knowledge)} strips, "
        f"{found.usage.model_calls} model calls"
    )
