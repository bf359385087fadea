"""A result as one HTML page: a report without JavaScript, or the page that it is reviewed on."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.core.errors import InputError, count
from errata.core.notebook import describe_skipped, label_with_score
from errata.core.records import Answer, Correction
from errata.core.urls import split_url
from errata.render.citations import SOURCE_HEAD, open_sentences, source_rows
from errata.render.text import describe_claims, describe_cost, describe_label, describe_retrieval

if TYPE_CHECKING:
    from jinja2 import Template

PAGE_HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""What goes with a page that is reviewed on; the page itself says what it may load."""


def write_report(result: Correction | Answer, path: Path) -> None:
    """Write a report to a file.

    Raises InputError if the file cannot be written.
    """
    try:
        path.write_text(report(result), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error


@cache
def _template() -> "Template":
    from jinja2 import Environment

    text = files("errata.render").joinpath("report.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)


def script() -> str:
    """The script of the page that is reviewed on, `review.js` beside it."""
    return files("errata.render").joinpath("review.js").read_text(encoding="utf-8")


def report(result: Correction | Answer, review: Mapping[str, Any] | None = None) -> str:
    """A report as HTML; all text of drafts and documents is escaped.

    With `review` it is the page that a correction is reviewed on: `made` has the decisions so far
    by the ids of the edits to decide on, `text` the draft after them.
    """
    sources = {}
    for document in result.documents:
        web = split_url(document.url).scheme in ("http", "https")  # no other address is a link
        title = document.title or document.url or document.id
        sources[document.id] = {"title": title, "link": document.url if web else ""}
    shared = {
        "question": result.question,
        "sources": sources,
        "notes": result.notes,
        "review": review,
    }
    if isinstance(result, Answer):
        found = f"{describe_retrieval(result)}{count(result.knowledge, 'strip')}"
        summary = f"{result.method}: {found}, {describe_cost(result)}"
        return _template().render(**shared, answer=result, summary=summary)
    texts = {claim.id: claim.text for claim in result.claims}
    claims = {
        verdict.claim: {
            "text": texts.get(verdict.claim, ""),
            "label": label_with_score(verdict, result.unmended),
            "kind": "unmended" if verdict.claim in result.unmended else verdict.label,
            "verdict": verdict,
        }
        for verdict in result.verdicts
    }
    return _template().render(
        **shared,
        correction=result,
        claims=claims.values(),
        stretches=_stretches(result, claims),
        skipped=describe_skipped(result.skipped),
        head=SOURCE_HEAD,
        rows=list(source_rows(result)),
        found=list(open_sentences(result)),
        summary=f"{result.method}: {describe_label(result)}; {describe_claims(result)}; "
        f"{count(result.edits, 'edit')}, {describe_cost(result)}",
    )


def _stretches(result: Correction, claims: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The draft from left to right, with its edits, which are numbered in that order."""
    place = 0
    for number, edit in enumerate(sorted(result.edits, key=lambda e: (e.start, e.end)), start=1):
        yield {"text": result.draft[place : edit.start]}
        rests_on = [claims[claim] for claim in edit.claims if claim in claims]
        yield {"edit": edit, "claims": rests_on, "id": f"e{number}"}
        place = edit.end
    yield {"text": result.draft[place:]}
