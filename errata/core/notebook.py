"""Results as HTML for notebooks; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.core.records import Claim, Knowledge, Piece, Verdict

TAGS = {"gone": "del", "new": "ins", "unfounded": "mark"}


def correction_html(
    pieces: Iterable[Piece], claims: Iterable[Claim], verdicts: Iterable[Verdict]
) -> str:
    """The diff, and below it the verdicts with their quotes."""
    texts, diff = {claim.id: claim.text for claim in claims}, ""
    for kind, text in pieces:
        tag, shown = TAGS.get(kind), escape(text)
        diff += f"<{tag}>{shown}</{tag}>" if tag else shown
    rows = (
        f"<b>{verdict.label.replace('_', ' ')}</b> {escape(texts[verdict.claim])}"
        + "".join(f" <q>{escape(quote.text)}</q>" for quote in verdict.evidence)
        for verdict in verdicts
    )
    return _page(diff, "verdicts", rows)


def _page(html: str, title: str, rows: Iterable[str]) -> str:
    items = "".join(f"<li>{row}</li>" for row in rows)
    details = f"<details><summary>{title}</summary><ul>{items}</ul></details>"
    return f"<p>{html.replace(chr(10), '<br>')}</p>{details}"


def answer_html(response: str, knowledge: Iterable[Knowledge]) -> str:
    """The answer, and below it the strips it rests on."""
    rows = (f" <q>{escape(strip.text)}</q>" for strip in knowledge)
    return _page(escape(response), "knowledge", rows)
