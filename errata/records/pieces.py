"""A draft and its edits as one sequence, from left to right."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from errata.records.core import Edit


class Piece(NamedTuple):
    """A stretch of the draft that stays or goes, or a text that is new."""

    kind: Literal["same", "gone", "new"]
    text: str


def pieces_of(draft: str, edits: Iterable[Edit]) -> list[Piece]:
    """The draft's stretches in order, each edit as what goes and what is new; no empty ones."""
    pieces, place = list[Piece](), 0
    for edit in edits:
        pieces.append(Piece("same", draft[place : edit.start]))
        pieces += [Piece("gone", edit.before), Piece("new", edit.after)]
        place = edit.end
    return [piece for piece in (*pieces, Piece("same", draft[place:])) if piece.text]
