"""A Correction or an Answer for the eye: in a terminal, in plain text, in a notebook."""

from collections.abc import Iterator
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Literal

from errata.records import Answer, Correction, Verdict

if TYPE_CHECKING:
    from rich.text import Text

INDENT = 20
QUOTED = 72
"""How many characters of a quote a terminal shows."""
Piece = tuple[Literal["same", "gone", "new"], str]
_COLOURS = {
    "supported": "green",
    "refuted": "red",
    "not_mentioned": "yellow",
    "unreadable": "magenta",
    "unchecked": "bright_black",
}
_HTML = {"gone": "del", "new": "ins"}


def pieces(correction: Correction) -> Iterator[Piece]:
    """Give the draft and what was put in, from left to right."""
    place = 0
    for edit in correction.edits:
        yield "same", correction.draft[place : edit.start]
        yield "gone", edit.before
        yield "new", edit.after
        place = edit.end
    yield "same", correction.draft[place:]


def plain_diff(correction: Correction) -> str:
    """Write the diff in plain text: [-gone-] and {+new+}."""
    marks = {"same": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}")}
    told = ((marks[kind], text) for kind, text in pieces(correction) if text)
    return "".join(f"{opening}{text}{closing}" for (opening, closing), text in told)


def coloured_diff(correction: Correction) -> "Text":
    """Write the diff for a terminal: struck out in red, put in in green."""
    from rich.text import Text

    styles = {"same": "", "gone": "red strike", "new": "bold green"}
    return Text.assemble(*((text, styles[kind]) for kind, text in pieces(correction) if text))


def verdict_list(correction: Correction) -> "Text":
    """Set out every claim with its verdict and, below it, what the verdict rests on."""
    from rich.text import Text

    titles = {document.id: document.title or document.id for document in correction.documents}
    claims = {claim.id: claim.text for claim in correction.claims}
    result = Text()
    for verdict in correction.verdicts:
        label = f"{label_with_score(verdict):<{INDENT}}"
        result.append(label, style=_COLOURS[verdict.label]).append(f"{claims[verdict.claim]}\n")
        for line in _grounds(verdict, titles):
            result.append(f"{'':<{INDENT}}{line}\n", style="dim")
    result.rstrip()
    return result


def knowledge_list(answer: Answer) -> "Text":
    """Set out the strips that an answer rests on, each with its score and its document."""
    from rich.text import Text

    titles = {document.id: document.title or document.id for document in answer.documents}
    result = Text()
    for strip in answer.knowledge:
        score = "" if strip.score is None else f"{strip.score:+.2f}"
        words = shorten(" ".join(strip.text.split()), QUOTED, placeholder=" …")
        result.append(f"{score:<6}").append(f"“{words}” [{titles[strip.document]}]\n", style="dim")
    result.rstrip()
    return result


def label_with_score(verdict: Verdict) -> str:
    """Write a verdict's label, with its score where it has one."""
    label = verdict.label.replace("_", " ")
    return label if verdict.score is None else f"{label} {verdict.score:.2f}"


def html_diff(correction: Correction) -> str:
    """Write the diff and the verdicts as HTML that stands alone; all text is escaped."""
    parts = []
    for kind, text in pieces(correction):
        tag = _HTML.get(kind)
        body = escape(text).replace("\n", "<br>")
        parts.append(f"<{tag}>{body}</{tag}>" if tag and text else body)
    claims = {claim.id: claim.text for claim in correction.claims}
    rows = "".join(
        f"<li><b>{escape(label_with_score(verdict))}</b> {escape(claims[verdict.claim])}"
        f"{_html_quotes(verdict)}</li>"
        for verdict in correction.verdicts
    )
    return f"<p>{''.join(parts)}</p><details><summary>verdicts</summary><ul>{rows}</ul></details>"


def _html_quotes(verdict: Verdict) -> str:
    return "".join(f" <q>{escape(quote.text)}</q>" for quote in verdict.evidence)


def _grounds(verdict: Verdict, titles: dict[str, str]) -> Iterator[str]:
    if verdict.explanation:
        yield verdict.explanation
    for quote in verdict.evidence:
        words = shorten(" ".join(quote.text.split()), QUOTED, placeholder=" …")
        yield f"“{words}” [{titles.get(quote.document, quote.document)}]"
