"""What a reader sees of a page: nothing hidden or struck out, raised numbers apart from others."""

import re
from itertools import islice
from typing import Any

from errata.tools.text.citations import is_exponent

_UNSEEN = frozenset(
    "del s strike template noscript noframes noembed iframe script style annotation audio canvas"
    " datalist video".split()
)
_IDLE = re.compile(r"/\*.*?(?:\*/|\Z)|!\s*important|\s+", re.DOTALL)
_HIDDEN = re.compile(
    r";(?:display:none|content-visibility:hidden|opacity:0*\.?0*%?(?:;|\Z)|color:transparent"
    r"|text-decoration[a-z-]*:[^;]*line-through|(?:text-indent|left|top|margin-left):-\d{3}"
    r"|visibility:(?:hidden|collapse)|font-size:(?:0(?:\.0*)?[a-z%]*|[01](?:\.\d*)?p[xt])(?:;|\Z)"
    r"|clip:rect\([01]|clip-path:inset\((?:50|100)%|transform:scale\(0[,)])"
)
_SMALL = re.compile(r";(?:max-)?(?:width|height):[01](?:px)?(?:;|\Z)")
_RAISED = "//sup | //msup/*[2] | //*[contains(@style, 'super')]"
_NUMBER = re.compile(r"[+−–-]?\d{1,4}[+−–-]?")
_MARK = re.compile(r"\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*|[*†‡§¶]+")
_UP = str.maketrans(
    "0123456789+-−–abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
)
_NEAR = 40
"""How many characters before a raised number are looked at."""


def keep_seen(page: Any) -> Any:
    """A parsed page without what no reader sees and marks of notes, raised numbers in own signs."""
    for element in list(page.iter("*")):
        if _is_hidden(element):
            element.clear(keep_tail=True)
    for element in page.xpath(_RAISED):
        text, before = "".join(islice(element.itertext(), 8)).strip(), _text_before(element)
        is_link = element.xpath("boolean(.//a[contains(@href, '#')])")
        placed = "" if is_link and _MARK.fullmatch(text) else raise_number(text, before)
        if placed is not None:
            element.clear(keep_tail=True)
            element.text = placed
    return page


def _is_hidden(element: Any) -> bool:
    if element.tag in ("html", "body"):  # many hide these until their scripts have run
        return False
    style = ";" + _IDLE.sub("", element.get("style") or "").lower()
    return (
        element.tag in _UNSEEN
        or (element.tag == "dialog" and "open" not in element.attrib)
        or "hidden" in element.attrib
        or (element.get("aria-hidden") or "").lower() == "true"
        or _HIDDEN.search(style) is not None
        or ("overflow:hidden" in style and _SMALL.search(style) is not None)
    )


def _text_before(element: Any) -> str:
    before = element.getprevious()
    if before is None:
        return (element.getparent().text or "")[-_NEAR:]
    return ("".join([*islice(before.itertext(), 8), before.tail or ""]))[-_NEAR:]


def raise_number(text: str, before: str) -> str | None:
    """A raised text in signs of its own, empty if it is the mark of a note; None if neither.

    >>> raise_number("6", "It is 10"), raise_number("2", "the town"), raise_number("th", "19")
    ('⁶', '', None)
    """
    raised = text.translate(_UP)
    if before[-1:].isdigit() and re.fullmatch("[a-pr-z]", text):
        return raised
    if not _NUMBER.fullmatch(text):
        return "" if _MARK.fullmatch(text.strip("[]()")) else None
    return raised if not text.isdecimal() or is_exponent(before, raised) else ""
