"""The text of a PDF as a reader follows it: columns in turn, words joined over lines."""

import re
from collections import Counter
from collections.abc import Container, Iterator
from io import BytesIO
from typing import Any
from unicodedata import normalize

_FOLDED = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
"""Ligatures; other compatible forms, such as raised figures, mean something else."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"(?<!\w)(\w{1,60})([-\u2010\u00ad])\n(\w+)")
_ENDED = re.compile(r"[.!?:][\"”’')\]]*$")
_PARTED = 1.1
"""Of a line's height: the least space between paragraphs; more is between lines set double."""
_RUNNING = 3
"""On how many pages a block stands first or last if it belongs to none of them."""


def read_pdf(content: bytes, most: int) -> str:
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
