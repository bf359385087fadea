"""Stretches of a Word document's text, and the elements that they stand for."""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LINKED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
ID, _SPACE = f"{{{LINKED}}}id", "{http://www.w3.org/XML/1998/namespace}space"
_RAISED = str.maketrans("0123456789,-–", "⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻⁻")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻", "0123456789,-")
_NUMBERS = re.compile(r"[\d,–-]+")


@dataclass(frozen=True, eq=False)
class Piece:
    """A stretch of the text, and the element that it stands for."""

    text: str
    start: int
    kind: Literal["text", "note", "link", "break", "auto"]
    """Words, the mark of a note, a bracket of a link, a paragraph's end, what Word numbers."""
    element: Any
    paragraph: Any

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def part(self) -> str:
        """The part of the file that it is in."""
        return str(etree.QName(self.paragraph.getroottree().getroot()).localname)

    @property
    def is_opening(self) -> bool:
        """Whether it is the first bracket of a link."""
        return self.kind == "link" and self.text == "["

    def place(self, place: int) -> int:
        """Where in its element a place of the text is."""
        return min(max(place, self.start), self.end) - self.start


def words_of(element: Any) -> str:
    """What a text element says: raised numbers in raised signs, no line ends."""
    text = re.sub(r"[\r\n]", " ", element.text or "")
    raised = _is_raised(element.getparent()) and _NUMBERS.fullmatch(text)
    return text.translate(_RAISED) if raised else text


def _is_raised(run: Any) -> bool:
    align = run.find(f"{W}rPr/{W}vertAlign")
    return align is not None and align.get(f"{W}val") == "superscript"


def new_run(text: str, model: Any) -> Any:
    """A run of words that looks as another one does, but for what is no number in raised signs."""
    run, form = etree.Element(f"{W}r"), None if model is None else model.find(f"{W}rPr")
    if form is not None:
        run.append(deepcopy(form))
        low = text.translate(_LOWERED)
        if _is_raised(model) and text and not _NUMBERS.fullmatch(low):
            run[0].remove(run[0].find(f"{W}vertAlign"))
        elif _is_raised(model):
            text = low
    etree.SubElement(run, f"{W}t", {_SPACE: "preserve"}).text = text
    return run


def remove(piece: Piece, start: int, end: int) -> None:
    """Remove of a piece what stands in a stretch of the text."""
    element = piece.element
    if piece.kind == "text":
        first, last = (piece.place(each) for each in (start, end))
        element.text = element.text[:first] + element.text[last:]
        element.set(_SPACE, "preserve")
    elif piece.kind in ("note", "link") and element.getparent() is not None:
        element.getparent().remove(element)


def put_in(new: Sequence[Any], site: Piece, start: int) -> None:
    """Put elements beside a piece, or into a stretch of words."""
    element, place = site.element, site.place(start)
    beside = element if site.kind == "link" else element.getparent()
    if site.kind == "text":
        rest = new_run("", beside)
        rest[-1].text = (element.text or "")[place:]
        rest.extend(list(element.itersiblings()))
        element.text = (element.text or "")[:place]
        element.set(_SPACE, "preserve")
        beside.addnext(rest)
    before = site.kind != "text" and site.start == start
    for each in new if before else reversed(new):
        (beside.addprevious if before else beside.addnext)(each)
