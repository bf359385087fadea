"""A correction in pieces, as diffs and notebooks show it; in HTML all text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from errata.core.records import Claim, Edit, Knowledge, Verdict

    Judged = Iterable[tuple[Claim, Verdict]]

Places = Sequence[tuple[int, int]]


class Piece(NamedTuple):
    """A stretch of the draft that stays or goes, words of it that stand nowhere, or a new text."""

    kind: Literal["same", "gone", "new", "unfounded"]
    text: str


def pieces_of(draft: str, edits: Iterable[Edit], unfounded: Places = ()) -> list[Piece]:
    """The draft's stretches in order, each edit as what goes and what is new; no empty ones."""
    pieces, place = list[Piece](), 0
    for edit in edits:
        pieces += split_kept(draft, place, edit.start, unfounded)
        pieces += [Piece("gone", edit.before), Piece("new", edit.after)]
        place = edit.end
    pieces += split_kept(draft, place, len(draft), unfounded)
    return [piece for piece in pieces if piece.text]


def split_kept(draft: str, start: int, end: int, unfounded: Places) -> Iterator[Piece]:
    """A stretch of the draft that stays, with what stands nowhere apart."""
    for first, last in unfounded:
        if start <= first and last <= end:
            yield Piece("same", draft[start:first])
            yield Piece("unfounded", draft[first:last])
            start = last
    yield Piece("same", draft[start:end])


def find_unfounded_places(draft: str, judged: Judged) -> list[tuple[int, int]]:
    """The places of what stands in no document, or of what a model finds unsaid."""
    places = set[tuple[int, int]]()
    for claim, verdict in judged:
        for text in verdict.unfounded:
            words = text.split()
            # A name is given by those of its words that stand nowhere, which others may part.
            apart = [[word] for word in words if word[:1].isupper()]
            places |= _find(draft, claim, [words]) or _find(draft, claim, apart)
        if verdict.label == "not_mentioned" and verdict.score is None and not verdict.unfounded:
            places |= _find(draft, claim, map(str.split, verdict.doubted))
    return sorted(places)


def _find(draft: str, claim: Claim, texts: Iterable[Sequence[str]]) -> set[tuple[int, int]]:
    """Where a claim's sentence first has each text, given by its words."""
    forms = (r"\s+".join(map(re.escape, words)) for words in texts)
    found = (re.compile(rf"(?<!\w){form}(?!\w)") for form in forms)
    places = (each.search(draft, claim.start, claim.end) for each in found)
    return {place.span() for place in places if place}


TAGS = {"gone": "del", "new": "ins", "unfounded": "mark"}


def correction_html(pieces: Iterable[Piece], judged: Judged) -> str:
    """The diff, and below it the verdicts with their quotes."""
    diff = ""
    for kind, text in pieces:
        tag, shown = TAGS.get(kind), escape(text)
        diff += f"<{tag}>{shown}</{tag}>" if tag else shown
    rows = (
        f"<b>{verdict.label.replace('_', ' ')}</b> {escape(claim.text)}"
        + "".join(f" <q>{escape(quote.text)}</q>" for quote in verdict.evidence)
        for claim, verdict in judged
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
