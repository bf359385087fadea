"""Results as HTML for notebooks; all text is escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.core.records import Claim, Knowledge, Piece, Skipped, Verdict

_TAGS = {"gone": "del", "new": "ins"}


def correction_html(
    pieces: Iterable[Piece],
    claims: Iterable[Claim],
    verdicts: Iterable[Verdict],
    unmended: Collection[str] = (),
) -> str:
    """The diff, and below it the verdicts with their quotes."""
    texts, diff = {claim.id: claim.text for claim in claims}, ""
    for kind, text in pieces:
        tag, shown = _TAGS.get(kind), escape(text)
        diff += f"<{tag}>{shown}</{tag}>" if tag else shown
    rows = (
        f"<b>{escape(label_with_score(verdict, unmended))}</b> {escape(texts[verdict.claim])}"
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


def describe_skipped(skipped: Sequence[Skipped]) -> str:
    """How much of a draft claims nothing, and what it is: `2 sentences (a heading, a question)`."""
    number = f"{len(skipped)} sentence{'' if len(skipped) == 1 else 's'}"
    return f"{number} ({', '.join(sorted({each.reason for each in skipped}))})" if skipped else ""


def label_in_words(verdict: Verdict, unmended: Collection[str] = ()) -> str:
    """A verdict's label as people read it: with its reason, and whether the refuted claim stays.

    >>> label_in_words(Verdict(claim="c1", label="not_mentioned", reason="not_understood"))
    'not understood'
    >>> label_in_words(Verdict(claim="c1", label="refuted"), unmended=["c1"])
    'refuted (stays)'
    """
    is_read = verdict.reason != "not_understood"
    label = verdict.label.replace("_", " ") if is_read else "not understood"
    return f"{label} (stays)" if verdict.claim in unmended else label


def label_with_score(verdict: Verdict, unmended: Collection[str] = ()) -> str:
    """A verdict's label in words, with its score where it has one."""
    label = label_in_words(verdict, unmended)
    return label if verdict.score is None else f"{label} {verdict.score:.2f}"
