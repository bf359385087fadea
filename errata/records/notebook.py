"""Results as HTML for notebooks; all text is escaped."""

from collections.abc import Iterable, Sequence
from html import escape

from errata.records.core import Claim, Skipped, Verdict
from errata.records.crag import Knowledge
from errata.records.pieces import Piece

_TAGS = {"gone": "del", "new": "ins"}


def correction_html(
    pieces: Iterable[Piece], claims: Iterable[Claim], verdicts: Iterable[Verdict]
) -> str:
    """The diff, and below it the verdicts with their quotes."""
    texts = {claim.id: claim.text for claim in claims}
    rows = (
        f"<li><b>{escape(label_with_score(verdict))}</b> {escape(texts[verdict.claim])}"
        f"{_quotes([quote.text for quote in verdict.evidence])}</li>"
        for verdict in verdicts
    )
    diff = "".join(_tagged(piece) for piece in pieces)
    return _page(diff, "verdicts", rows)


def answer_html(response: str, knowledge: Iterable[Knowledge]) -> str:
    """The answer, and below it the strips it rests on."""
    rows = (f"<li>{_quotes([strip.text])}</li>" for strip in knowledge)
    return _page(_lines(response), "knowledge", rows)


def describe_skipped(skipped: Sequence[Skipped]) -> str:
    """How much of a draft claims nothing, and what it is: `2 sentences (a heading, a question)`."""
    number = f"{len(skipped)} sentence{'' if len(skipped) == 1 else 's'}"
    return f"{number} ({', '.join(sorted({each.reason for each in skipped}))})" if skipped else ""


def label_with_score(verdict: Verdict) -> str:
    """A verdict's label in words, with its score where it has one."""
    label = verdict.label.replace("_", " ")
    return label if verdict.score is None else f"{label} {verdict.score:.2f}"


def _page(text: str, title: str, rows: Iterable[str]) -> str:
    details = f"<details><summary>{title}</summary><ul>{''.join(rows)}</ul></details>"
    return f"<p>{text}</p>{details}"


def _tagged(piece: Piece) -> str:
    tag = _TAGS.get(piece.kind)
    text = _lines(piece.text)
    return f"<{tag}>{text}</{tag}>" if tag else text


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _quotes(texts: Sequence[str]) -> str:
    return "".join(f" <q>{escape(text)}</q>" for text in texts)
