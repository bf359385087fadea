"""What a reader sees of a page: nothing hidden or struck out, raised numbers apart from others."""

import re
from itertools import islice
from typing import Any

from errata.tools.files.looks import Look, Style, hides, read_style
from errata.tools.text.citations import is_exponent

_GONE, _WHITE = "gone", (255, 255, 255)
_UNSEEN = frozenset(
    "del s strike template noscript noframes noembed iframe script style annotation audio canvas"
    " datalist video".split()
)
_INLINE = frozenset(
    "a abbr b bdi big cite code data del em font i ins kbd label mark q s samp small span strike"
    " strong sub sup time tt u var math mi mn mo mrow mstyle msub msup semantics".split()
)
_NOTE = re.compile(r"note|reference|citation|\bcite|\bfn", re.IGNORECASE)
_NUMBER = re.compile(r"[+−–-]?\d{1,4}[+−–-]?")
_MARK = re.compile(r"\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*|[*†‡§¶]+")
_ISOTOPE = re.compile(r"[A-Z][a-z]?\b")
_SIGNS = "0123456789+-−–"
_UP = str.maketrans(f"{_SIGNS}abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_DOWN = str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")
_NEAR = 40
"""How many characters before a raised number are looked at."""


def keep_seen(page: Any) -> Any:
    """A parsed page without what no reader sees, raised and lowered numbers in signs of their own.

    Raised numbers that are only marks of notes go. None if nothing of the page is seen.
    """
    from lxml import etree

    etree.strip_tags(page, etree.Comment, etree.ProcessingInstruction)
    reader = _Reader(Look(ground=None if _has_sheet(page) else _WHITE))
    walk = etree.iterwalk(page, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            reader.close(element)
        elif reader.open(element):
            walk.skip_subtree()
    if page.tag == _GONE:
        return None
    reader.begin(page, "tail", "")
    etree.strip_elements(page, _GONE)
    return page


def _has_sheet(page: Any) -> bool:
    """Whether a style sheet may give the page another ground than white."""
    sheets = (each.get("rel", "stylesheet") for each in page.iter("style", "link"))
    return any("stylesheet" in rel.lower() for rel in sheets)


class _Reader:
    """Goes through a page, and writes anew the text before, in and after each element it keeps."""

    def __init__(self, look: Look) -> None:
        self._looks = [look]
        self._site: tuple[Any, str] | None = None
        self._pieces, self._before = list[str](), ""

    def open(self, element: Any) -> bool:
        """Read an element's beginning; true if nothing in it is to be read."""
        style = read_style(element.get("style") or "")
        self._looks.append(self._looks[-1].within(element, style))
        text = "" if _is_gone(element, style) else self._raised(element, style)
        if text is None:
            self.begin(element, "text", element.text or "")
            return False
        self._add(text if text or element.tag in _INLINE else "\n")
        element.tag, element.text = _GONE, None
        return True

    def close(self, element: Any) -> None:
        """Read what comes after an element."""
        self._looks.pop()
        if element.tag == _GONE:
            self._add(element.tail or "")
            element.tail = None
        else:
            self.begin(element, "tail", element.tail or "")

    def begin(self, element: Any, name: str, text: str) -> None:
        """Write the text read so far to its place, and begin with another."""
        if self._site:
            setattr(*self._site, "".join(self._pieces) or None)
        self._site, self._pieces = (element, name), []
        self._before = self._before if element.tag in _INLINE else ""
        self._add(text)

    def _add(self, text: str) -> None:
        if not self._looks[-1].is_unseen:
            self._pieces.append(text)
            self._before = (self._before + text[-_NEAR:])[-_NEAR:]

    def _raised(self, element: Any, style: Style) -> str | None:
        """What to read for an element; None if it is no raised or lowered number or mark."""
        align = style.get("vertical-align", "")
        text = "".join(islice(element.itertext(), 8)).strip()
        if element.tag == "sub" or align == "sub":
            return lower_number(text, self._before)
        if element.tag != "sup" and align != "super" and not _is_power(element):
            return None
        if _is_linked(element) and (_MARK.fullmatch(text.strip("[]()")) or text[1:] == ""):
            return ""
        return raise_number(text, self._before, element.tail or "")


def lower_number(text: str, before: str) -> str | None:
    """A lowered text in signs of its own; None if it is no number, or not beside one."""
    return text.translate(_DOWN) if before[-1:].isdigit() and _NUMBER.fullmatch(text) else None


def raise_number(text: str, before: str, after: str = "") -> str | None:
    """A raised text in signs of its own, empty if it is the mark of a note; None if neither.

    >>> raise_number("6", "It is 10"), raise_number("2", "the town"), raise_number("th", "19")
    ('⁶', '', None)
    """
    raised = text.translate(_UP)
    if before[-1:].isdigit() and re.fullmatch("[a-pr-z]", text):
        return raised
    if not _NUMBER.fullmatch(text):
        return "" if _MARK.fullmatch(text.strip("[]()")) else None
    is_signed = not text.isdecimal()
    is_isotope = not before[-1:].isalnum() and _ISOTOPE.match(after[:3])
    return raised if is_signed or is_isotope or is_exponent(before, raised) else ""


def _is_gone(element: Any, style: Style) -> bool:
    """Whether nothing in an element is seen, whatever is said within."""
    if element.tag in ("html", "body"):  # many hide these until their scripts have run
        return False
    return (
        element.tag in _UNSEEN
        or (element.tag == "dialog" and "open" not in element.attrib)
        or "hidden" in element.attrib
        or (element.get("aria-hidden") or "").lower() == "true"
        or hides(style)
    )


def _is_power(element: Any) -> bool:
    """Whether it is the exponent in a formula."""
    parent = element.getparent()
    return parent is not None and parent.tag == "msup" and element.getnext() is None


def _is_linked(element: Any) -> bool:
    """Whether an element names itself a note, or links to a place in a page."""
    named = " ".join(element.get(name) or "" for name in ("class", "role", "id"))
    around = element.getparent()
    anchors = [*element.iter("a"), *([] if around is None else [around])]
    return bool(_NOTE.search(named)) or any("#" in (each.get("href") or "") for each in anchors)
