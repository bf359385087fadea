"""What the cells of a table are about."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from errata.tools.text.markdown import Block, read_blocks
from errata.tools.text.prose import read_passages

_NAMED = re.compile(r"[^\W\d_]{2}")
_PAIR = 2
_NUMBER = re.compile(r"(?!(?:1\d|20)\d\d\Z)\d[\d.,]*(?: (?:thousand|million|billion))?")
_HEAD = re.compile(r"(?P<things>[^()\[\]]*[^\W\d_])(?: ?[(\[](?P<unit>[^\W\d_][^()\[\]]*)[)\]])?")


class Label(NamedTuple):
    """What is read before and after the words of a cell."""

    before: str
    after: str = ""

    def read(self, words: str) -> str:
        """The cell as a claim.

        >>> Label("Saturn: ", " moons").read("146")
        'Saturn: 146 moons.'
        """
        return f"{self.before}{words.rstrip('.')}{self.after}."


def label_cells(text: str) -> dict[int, Label]:
    """For each cell that states something, by where it begins, what it is about.

    That is the first cell of its row with a word in it, which itself states nothing, and the head
    of its column if rows have more than two cells. A number
    comes before that head, with the unit that stands there in brackets.
    """
    root, _ = read_blocks(text)
    words = {p.block.start: p.text.strip() for p in read_passages(text)}
    labels: dict[int, Label] = {}
    for table in (block for block in root.walk() if block.kind == "table"):
        heads, *rows = [row.children for part in table.children for row in part.children]
        names = [words.get(head.start, "") for head in heads]
        for row in rows:
            labels |= _label_row(row, names, words)
    return labels


def _label_row(
    row: Sequence[Block], names: Sequence[str], words: dict[int, str]
) -> dict[int, Label]:
    texts = [words.get(cell.start, "") if cell.content else "" for cell in row]
    filled = [number for number, text in enumerate(texts) if text]
    if len(filled) < _PAIR:
        return {row[n].start: Label(f"{names[n] or 'in the table'}: ") for n in filled}
    head = next((number for number in filled if _NAMED.search(texts[number])), filled[0])
    several = len(row) > _PAIR
    return {
        row[n].start: _label_number(texts[head], names[n], texts[n])
        or Label(f"{texts[head]}, {names[n]}: " if several and names[n] else f"{texts[head]}: ")
        for n in filled
        if n != head
    }


def _label_number(about: str, name: str, cell: str) -> Label | None:
    """What a number counts or measures by the head of its column; None if it may be a year."""
    head = _HEAD.fullmatch(name)
    if not head or not _NUMBER.fullmatch(cell):
        return None
    things = head["things"] if name[1:2].isupper() else name[:1].lower() + head["things"][1:]
    return (
        Label(f"{about}: {things} of ", f" {head['unit']}")
        if head["unit"]
        else Label(f"{about}: ", f" {things}")
    )
