"""The main text of web pages, PDF files and Word documents, as a reader sees and follows it."""

import re
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import suppress
from io import BytesIO
from itertools import islice
from typing import Any
from unicodedata import normalize
from zipfile import ZipFile

from errata.core.errors import PageError, SettingError, require
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


PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_HEAD = 200_000
"""The bytes of a page that may have its metadata."""
MAX_PDF_PAGES = 50
"""Further pages of a PDF from the web are not read."""


def check_parser(kind: str, url: str) -> None:
    """Raise PageError if the package is missing that reads a page of a media type."""
    package = {PDF: "pdfminer", DOCX: "lxml"}.get(kind, "trafilatura")
    try:
        if kind != "text/plain":
            require(repr(url), "files", package)
    except SettingError as error:
        raise PageError(str(error)) from error


def extract_main_text(
    kind: str, content: bytes, url: str = "", max_pages: int = MAX_PDF_PAGES
) -> str:
    """The main text of a page of a media type; raises PageError if it cannot be read."""
    if kind == "text/plain":
        return content.decode("utf-8", errors="replace")
    if kind not in (PDF, DOCX):
        return _read_page(content, url)
    try:
        return _read_pdf(content, max_pages) if kind == PDF else _read_word(content)
    except MemoryError:
        raise
    except Exception as error:  # a parser fails on hostile input in any way
        what = "PDF" if kind == PDF else "Word document"
        fault = f"is not a readable {what}, or has a password: {type(error).__name__} {error}"
        raise PageError(f"{url!r} {fault}") from error


def _read_page(content: bytes, url: str) -> str:
    from trafilatura import extract
    from trafilatura.utils import load_html

    page: Any = load_html(content)
    if page is None:
        return ""
    seen = keep_seen(page)
    return extract(seen, url=url or None, include_comments=False, favor_recall=True) or ""


def find_page_date(content: bytes) -> str:
    """The day of a page's last change or publication by its metadata, as 2024-03-01, or empty."""
    from htmldate import find_date

    with suppress(Exception):  # a parser fails on hostile input in any way
        return find_date(content[:_HEAD], extensive_search=False, original_date=False) or ""
    return ""


_FOLDED = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
"""Ligatures; other compatible forms, such as raised figures, mean something else."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"(?<!\w)(\w{1,60})([-\u2010\u00ad])\n(\w+)")
_ENDED = re.compile(r"[.!?:][\"”’')\]]*$")
_PARTED = 1.1
"""Of a line's height: the least space between paragraphs; more is between lines set double."""
_RUNNING = 3
"""On how many pages a block stands first or last if it belongs to none of them."""


def _read_pdf(content: bytes, most: int) -> str:
    """The paragraphs of at most so many pages, each one line, without running heads."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams

    layout = LAParams(all_texts=True, line_margin=_PARTED)
    pages = [
        [block for block in _blocks(page) if block]
        for page in extract_pages(BytesIO(content), maxpages=most, laparams=layout)
    ]
    often = Counter(shape for page in pages for shape in {*map(_shape, page[:2] + page[-2:])})
    blocks = [b for page in pages for b in page if often[_shape(b)] < _RUNNING]
    known = frozenset(_WORD.findall(_BROKEN.sub(" ", "\n".join(blocks)).lower()))
    text = list[str]()
    for block in blocks:
        paragraph = " ".join(_joined(block, known).split())
        if text and paragraph[0].islower() and not _ENDED.search(text[-1][-9:]):
            text[-1] = _joined(f"{text[-1]}\n{paragraph}", known).replace("\n", " ")
        else:
            text.append(paragraph)
    return "\n\n".join(text).replace("\u00ad", "")


def _blocks(container: Any) -> Iterator[str]:
    """The boxes of text on a page and in its figures, as pdfminer orders them."""
    from pdfminer.layout import LTFigure, LTTextBox

    for each in container:
        if isinstance(each, LTTextBox):
            lines = (" ".join(line.split()) for line in each.get_text().split("\n"))
            yield "\n".join(filter(None, lines)).translate(_FOLDED)
        elif isinstance(each, LTFigure):
            yield from _blocks(each)


def _shape(block: str) -> str:
    return re.sub(r"\d+", "#", block)


def _joined(text: str, known: Container[str]) -> str:
    """Lines with each word in one piece that a hyphen cuts at the end of a line."""

    def join(cut: re.Match[str]) -> str:
        first, hyphen, second = cut.groups()
        whole, parts = (first + second).lower(), (first.lower(), second.lower())
        is_compound = "-".join(parts) in known or not second[0].islower()
        is_two = whole not in known and all(part in known for part in parts)
        keeps = hyphen != "\u00ad" and (is_compound or is_two)
        return f"{first}{hyphen if keeps else ''}{second}"

    return _BROKEN.sub(join, text)


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_NAMES = {"w": _W[1:-1], "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006"}
_GONE = (
    "//w:del | //w:moveFrom | //w:instrText | //mc:Fallback | //w:tr[w:trPr/w:del]"
    " | //w:r[w:rPr/*[self::w:strike or self::w:dstrike or self::w:vanish]"
    "[not(@w:val = '0' or @w:val = 'false' or @w:val = 'off')]]"
)
_SIGNS = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "noBreakHyphen": "-"}
_PARTS = ("document", "footnotes", "endnotes")


def _read_word(content: bytes) -> str:
    """The paragraphs of a document in order, the rows of its tables among them, its notes last."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True)
    texts = list[str]()
    with ZipFile(BytesIO(content)) as file:
        for name in (f"word/{part}.xml" for part in _PARTS):
            if name in file.namelist():
                root = etree.fromstring(file.read(name), parser)
                for element in root.xpath(_GONE, namespaces=_NAMES):
                    element.clear(keep_tail=True)
                texts += _paragraphs(root)
    return "\n\n".join(filter(None, texts))


def _paragraphs(root: Any) -> list[str]:
    """The paragraphs in an element; of a table each row is one, its cells parted by bars."""
    from lxml import etree

    pieces, depth = list[str](), 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        kind, is_start = etree.QName(element).localname, event == "start"
        if kind == "tc":
            depth += 1 if is_start else -1
            pieces.append("" if is_start else " | ")
        elif kind in ("p", "tr"):
            pieces.append(" " if depth else "\n")
        elif is_start:
            pieces.append(_placed(element, pieces) if kind == "t" else _SIGNS.get(kind, ""))
    return [" ".join(line.split()).strip(" |") for line in "".join(pieces).split("\n")]


def _placed(text: Any, pieces: list[str]) -> str:
    """A run's text, raised numbers in signs of their own."""
    said, before = text.text or "", "".join(pieces[-9:])
    align = text.getparent().find(f"{_W}rPr/{_W}vertAlign")
    place = "" if align is None else align.get(f"{_W}val")
    if place != "superscript" and not any(e.tag.endswith("}sup") for e in text.iterancestors()):
        return said
    raised = raise_number(said.strip(), before)
    return said if raised is None else raised
