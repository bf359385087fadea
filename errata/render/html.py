"""A report in HTML, and the page of a review; all text of drafts and documents is escaped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from errata.core.pieces import TAGS, Piece, split_kept
from errata.core.records import Correction
from errata.core.urls import split_url
from errata.render.findings import SOURCE_HEAD, find, source_rows
from errata.render.reports import Report
from errata.render.text import label_with_score

if TYPE_CHECKING:
    from jinja2 import Template

PAGE_HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""What goes with the page; the page itself says what it may load."""


@cache
def _template(name: str) -> "Template":
    from jinja2 import Environment

    text = files("errata.render").joinpath(f"{name}.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)


def script() -> str:
    """The script of the page, `review.js` beside it."""
    return files("errata.render").joinpath("review.js").read_text(encoding="utf-8")


def report(reports: Sequence[Report], summary: Callable[[Correction], str]) -> str:
    """A page on some drafts: each one's diff, the table of its sources, what was found, notes."""
    return _template("report").render(
        reports=reports, summary=summary, tags=TAGS, head=SOURCE_HEAD, rows=source_rows, find=find
    )


def page(result: Correction, decisions: Mapping[str, object], text: str) -> str:
    """The page: the decisions so far by the ids of edits, and the draft after them."""
    sources = {}
    for document in result.documents:
        web = split_url(document.url).scheme in ("http", "https")  # no other address is a link
        title = document.title or document.url or document.id
        sources[document.id] = {"title": title, "link": document.url if web else ""}
    claims = {
        claim.id: {
            "text": claim.text,
            "label": label_with_score(verdict, result.unmended),
            "kind": "unmended" if claim.id in result.unmended else verdict.label,
            "verdict": verdict,
        }
        for claim, verdict in result.judged
    }
    return _template("review").render(
        question=result.question,
        sources=sources,
        notes=result.notes,
        decisions=decisions,
        text=text,
        claims=claims.values(),
        stretches=_stretches(result, claims),
    )


def _stretches(
    result: Correction, claims: Mapping[str, object]
) -> Iterator[Piece | dict[str, object]]:
    """The draft from left to right, with its edits, which are numbered in that order."""
    place, unfounded = 0, result.unfounded
    for number, edit in enumerate(sorted(result.edits, key=lambda e: (e.start, e.end)), start=1):
        yield from split_kept(result.draft, place, edit.start, unfounded)
        rests_on = [claims[claim] for claim in edit.claims if claim in claims]
        yield {"edit": edit, "claims": rests_on, "id": f"e{number}"}
        place = edit.end
    yield from split_kept(result.draft, place, len(result.draft), unfounded)
