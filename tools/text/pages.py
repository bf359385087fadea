"""The words of HTML as passages, each character with its place in the source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from errata.core.limits import check_time
from errata.tools.text.inline import Mark
from errata.tools.text.markdown import Block, read_blocks
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
    " sup time u var wbr".split()
)
_VOID = frozenset("br wbr hr img input meta link".split())
_HEADING = re.compile(r"h[1-6]")


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

    def passage(self) -> Iterator[Passage]:
        """What has been read, if it has words, without white space around it."""
        text = "".join(self.text).rstrip()
        places = tuple(self.places[: len(text)])
        if text:
            kind = self.name if self.name in ("td", "th") else "paragraph"
            kind = "heading" if _HEADING.fullmatch(self.name) else kind
            block = Block(kind, places[0], places[-1] + 1, (), text, places, self.name)
            yield Passage(block, text, places, self.marks)

    def add(self, piece: re.Match[str]) -> None:
        """Add a character; of white space one, of comments none."""
        shown, place = piece[0], piece.end() - 1
        if piece["entity"]:
            shown = unescape(shown)[:1]
            inner = place, piece.end()
            self.marks.append(Mark("emphasis", piece.start(), piece.end(), inner))
        if shown.isspace():
            shown = " " if self.text and self.text[-1] != " " else ""
        if len(shown) == 1:
            self.text.append(shown)
            self.places.append(place if piece["entity"] else piece.start())

    def note_element(self, name: str, piece: re.Match[str]) -> None:
        """Remember where an inline element begins, or add the one that ends here."""
        if not piece["close"]:
            self.opened.append((name, piece.start(), piece.end()))
        elif self.opened and self.opened[-1][0] == name:
            _, start, inner = self.opened.pop()
            self.marks.append(Mark("emphasis", start, piece.end(), (inner, piece.start())))


def read_html(text: str, start: int = 0, end: int | None = None) -> Iterator[Passage]:
    """The passages of HTML in reading order; `info` of their block is the element's name.

    Raises OutOfTimeError when the run's time is over.
    """
    block = _Open()
    for piece in _PIECE.finditer(text, start, len(text) if end is None else end):
        name = (piece["name"] or "").lower()
        if name and name not in _INLINE:
            check_time()
            yield from block.passage()
            block = _Open("" if piece["close"] or name in _VOID else name)
        elif name:
            block.note_element(name, piece)
        else:
            block.add(piece)
    yield from block.passage()


def read_html_in(text: str) -> list[Passage]:
    """The passages of a page's source, or of the blocks of HTML in another text."""
    if is_page(text):
        return list(read_html(text))
    root, _ = read_blocks(text)
    blocks = (block for block in root.walk() if block.kind == "html_text")
    return [passage for b in blocks for passage in read_html(text, b.start, b.end)]
