"""Corrections for a terminal: a coloured or plain diff, verdicts with quotes."""

import sys
from textwrap import shorten
from typing import TYPE_CHECKING

from errata.core.records import Correction
from errata.render.text import describe_skipped, label_with_score

if TYPE_CHECKING:
    from rich.text import Text

INDENT = 22
QUOTE_LENGTH = 72
_COLOURS = {
    "supported": "green",
    "refuted": "red",
    "conflicting": "dark_orange",
    "disputed": "dark_orange",
    "not_mentioned": "yellow",
    "unreadable": "magenta",
    "unchecked": "bright_black",
}
_UNMENDED = "bold white on red"
_STYLES = {"same": "", "gone": "red strike", "new": "bold green", "unfounded": "bold yellow"}
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"}
_CONTROLS |= dict.fromkeys(range(0x7F, 0xA0), 0xFFFD)
"""Control characters as signs: a text must not move the cursor or colour what follows it."""
_MARKS = {
    "same": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}"), "unfounded": ("[?", "?]"),
}  # fmt: skip
CLEAR = "\r\x1b[K"
"""What takes a line on the progress of work from a terminal."""


def say(text: str) -> None:
    """Tell the person at the terminal, on standard error."""
    sys.stderr.write(f"{CLEAR * sys.stderr.isatty()}{text}\n")


def plain_diff(correction: Correction) -> str:
    """The diff in plain text: [-gone-], {+new+}, and [?what stands nowhere?]."""
    marked = ((_MARKS[piece.kind], visible(piece.text)) for piece in correction.pieces())
    return "".join(f"{opening}{text}{closing}" for (opening, closing), text in marked)


def coloured_diff(correction: Correction) -> "Text":
    """The diff in colours; without edits each sentence with a fault is underlined in its colour."""
    from rich.text import Text

    pieces = ((visible(piece.text), _STYLES[piece.kind]) for piece in correction.pieces())
    text = Text.assemble(*pieces)
    for claim, verdict in () if correction.edits else correction.judged:
        if verdict.label != "supported":
            text.stylize(f"underline {_COLOURS[verdict.label]}", claim.start, claim.end)
    return text


def visible(text: str) -> str:
    """A text that shows its control characters in place of obeying them."""
    return text.translate(_CONTROLS)


def verdict_list(correction: Correction) -> "Text":
    """Every claim with its verdict and, below it, what explains it and is no note, and quotes."""
    from rich.text import Text

    titles = {document.id: document.title or document.id for document in correction.documents}
    lines = Text()
    for claim, verdict in correction.judged:
        label = f"{label_with_score(verdict, correction.unmended):<{INDENT}}"
        style = _UNMENDED if claim.id in correction.unmended else _COLOURS[verdict.label]
        lines.append(label, style=style).append(f"{visible(claim.text)}\n")
        quotes = [quoted(q.text, titles.get(q.document, q.document)) for q in verdict.evidence]
        is_noted = any(note.endswith(f": {verdict.explanation}") for note in correction.notes)
        said = "" if is_noted else verdict.explanation
        for ground in filter(None, [said, *quotes]):
            lines.append(f"{'':<{INDENT}}{visible(ground)}\n", style="dim")
    if skipped := describe_skipped(correction.skipped):
        lines.append(f"not checked: {skipped}\n", style="dim")
    lines.rstrip()
    return lines


def quoted(text: str, title: str) -> str:
    """The beginning of a quote, with its source's title."""
    return f"“{shorten(' '.join(text.split()), QUOTE_LENGTH, placeholder=' …')}” [{title}]"
