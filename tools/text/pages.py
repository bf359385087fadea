"""The words of HTML as passages, each character with its place in the source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from errata.core.limits import check_time
from errata.tools.text.inline import Mark
from errata.tools.text.markdown import Block
from errata.tools.text.prose import Passage

_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_PIECE = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<raw>script|style|pre|svg|math|textarea|title|template)\b.*?(?:</(?P=raw)\s*>|\Z)"
    r"|<(?P<close>/?)(?P<name>[a-z][\w-]*)[^<>]*>|<[!?][^<>]*>"
    r"|(?P<entity>&(?:#\w+|\w+);)|(?P<space>\s+)|.",
    re.IGNORECASE | re.DOTALL,
)
_INLINE = frozenset(
    "a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub"
    " sup time u var".split()
)
_VOID = frozenset("br wbr hr img input meta link".split())
_HEADING = re.compile(r"h[1-6]")
_KINDS = {"td": "td", "th": "th"}


def is_page(text: str) -> bool:
    """Whether a text is the source of a page."""
    return bool(_PAGE.match(text))


@dataclass
class _Open:
    """The block being read: its characters, their places and the inline elements in it."""

    name: str = ""
    text: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    opened: list[tuple[str, int, int]] = field(default_factory=list)

    def passage(self) -> Passage:
        """What has been read, without white space around it."""
        while self.text and self.text[-1] == " ":
            self.text.pop()
            self.places.pop()
        text, places = "".join(self.text), tuple(self.places)
        kind = "heading" if _HEADING.fullmatch(self.name) else _KINDS.get(self.name, "paragraph")
        block = Block(kind, places[0], places[-1] + 1, (), text, places, self.name)
        return Passage(block, text, places, self.marks)


def read_html(text: str, start: int = 0, end: int | None = None) -> Iterator[Passage]:
    """The passages of HTML in reading order; `info` of their block is the element's name.

    Raises OutOfTimeError when the run's time is over.
    """
    block = _Open()
    for piece in _PIECE.finditer(text, start, len(text) if end is None else end):
        name = (piece["name"] or "").lower()
        if name and name not in _INLINE and name != "wbr":
            check_time()
            if any(character != " " for character in block.text):
                yield block.passage()
            block = _Open("" if piece["close"] or name in _VOID else name)
        elif name and name not in _VOID:
            _note_element(block, name, piece)
        elif piece["space"] and block.text and block.text[-1] != " ":
            _add(block, " ", piece.start())
        elif piece["entity"]:
            shown = unescape(piece[0])
            _add(block, " " if shown.isspace() else shown[:1], piece.end() - 1)
            span = piece.end() - 1, piece.end()
            block.marks.append(Mark("emphasis", piece.start(), piece.end(), span))
        elif not (piece["space"] or (piece[0].startswith("<") and len(piece[0]) > 1)):
            _add(block, piece[0], piece.start())
    if any(character != " " for character in block.text):
        yield block.passage()


def _add(block: _Open, character: str, place: int) -> None:
    block.text.append(character)
    block.places.append(place)


def _note_element(block: _Open, name: str, piece: re.Match[str]) -> None:
    """Remember where an inline element begins, or add the one that ends here."""
    if not piece["close"]:
        block.opened.append((name, piece.start(), piece.end()))
    elif block.opened and block.opened[-1][0] == name:
        _, start, inner = block.opened.pop()
        block.marks.append(Mark("emphasis", start, piece.end(), (inner, piece.start())))
