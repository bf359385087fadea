"""The text of a PDF as a reader follows it: columns in turn, words joined over lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from statistics import median_high, median_low
from typing import Any
from unicodedata import normalize

_FOLDED = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_GAP, _SPACES = re.compile(r"(?<=\S)\s{2,}(?=\S)"), re.compile(r"(?<=\S)\s+(?=\S)")
_ENDED = re.compile(r"[.!?:][\"”’')\]]*$")
_SENTENCE = re.compile(r"[.!?][\"”’')\]]*(?:\s+[A-Z\d]|\s*$)", re.MULTILINE)
_BROKEN = re.compile(r"(?<!\w)\w{1,60}[-\u2010\u00ad]\n+\w+")
_OPEN = re.compile(r"\b(?:a|an|and|as|at|by|for|from|in|of|on|or|the|to|was|were|with)$|\w-$")
_CUT = re.compile(r"(?P<first>\w+)[-\u2010\u00ad]$")
_NEAR = 80
"""How many characters at the end of a text are looked at."""
_LEVEL = 6
"""By how many points texts of one line stand higher or lower."""
_RUNNING = 3
"""On how many pages a line stands first or last if it belongs to none of them."""
_ORIGIN = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_PARTED = 1.8
"""Of a letter's height: the least way from a paragraph to the next."""
_TRIED = 4
"""How many places a column may begin at are looked at."""
_WORDS = 3
"""The fewest words of half the lines of prose; a table's cells have fewer."""
Place = tuple[float, ...]


def read_pdf(pages: Iterable[Any]) -> str:
    """The paragraphs of pages of pypdf, each one line, without running heads."""
    read = [[block for block in _blocks(page) if any(block)] for page in pages]
    ends = [(page[0][0], page[-1][-1]) for page in read if page]
    often = Counter(_shape(line) for pair in ends for line in {*pair})
    whole = _BROKEN.sub(" ", "\n".join(t for p in read for block in p for t in block))
    known = Counter(word.lower() for word in _WORD.findall(whole))
    text = list[str]()
    for page in read:
        kept = [b for b in (_body(block, often) for block in page) if any(b)]
        for number, block in enumerate(kept):
            for place, paragraph in enumerate(_paragraphs(block, known)):
                if text and not place and _runs_on(text[-1], paragraph, in_page=number > 0):
                    text[-1] = _join(text[-1], paragraph, known)
                else:
                    text.append(paragraph)
    return "\n\n".join(text).replace("\u00ad", "")


def _runs_on(text: str, after: str, *, in_page: bool) -> bool:
    """Whether a paragraph goes on at the top of the next column or page."""
    end, is_part = text[-_NEAR:], after[:1].islower() or (in_page and after[:1].isdigit())
    return not _ENDED.search(end) and (is_part or _OPEN.search(end) is not None)


def _body(block: list[str], often: Counter[str]) -> list[str]:
    """A block without running heads and feet, which stand at the ends of pages."""
    return [
        line
        for place, line in enumerate(block)
        if often[_shape(line)] < _RUNNING or place not in (0, len(block) - 1)
    ]


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def _blocks(page: Any) -> list[list[str]]:
    """A page's columns, or the page, as lines: in the file's order if there are no columns."""
    with suppress(*_ODD):
        _set_apart(page)
    plain, lines = page.extract_text(), _lines(page)
    found = _columns(lines)
    laid, filed = _squeezed("".join(lines)), _squeezed(plain)
    if not found or len(laid) != len(filed) or not (found[1:] or laid == filed):
        found = [plain.translate(_FOLDED).split("\n")]
    blocks = ("\n".join(map(_read_through, block)).strip("\n") for block in found)
    return [block.split("\n") for block in blocks]


def _lines(page: Any) -> list[str]:
    """The lines of a page from top to bottom, each text at its place; none if it cannot be told."""
    with suppress(*_ODD):
        laid = page.extract_text(
            extraction_mode="layout",
            layout_mode_strip_rotated=False,
            layout_mode_font_height_weight=_PARTED / 2,
        )
        return re.sub(r"\n{3,}", "\n\n", laid).translate(_FOLDED).split("\n")
    return []


def _read_through(line: str) -> str:
    return " ".join(line.split())


def _set_apart(page: Any) -> None:
    """Put texts within a line that begin where others do into text objects of their own.

    Of such an object pypdf tells the place, and not of each text in it.
    """
    from pypdf.generic import ContentStream, FloatObject, NameObject

    content = ContentStream(page["/Contents"].get_object(), page.pdf, "bytes")
    placed = list(_placed(content.operations))
    places = [place for _, _, place in placed if place]
    beside = ((a, b) for a, b in pairwise(places) if abs(a[5] - b[5]) < _LEVEL and a[4] < b[4])
    shared = Counter(round(after[4]) for _, after in beside)
    if max(shared.values(), default=0) > 1:
        apart = list[tuple[list[Any], bytes]]()
        for operands, operator, place in placed:
            if not place or shared[round(place[4])] <= 1:
                apart.append((operands, operator))
                continue
            matrix = [FloatObject(number) for number in place]
            apart += [([], b"ET"), ([], b"BT"), (matrix, b"Tm")]
            if operator == b"TD":
                apart.append(([FloatObject(-operands[1])], b"TL"))
        content.operations = apart
    page[NameObject("/Contents")] = content  # even as it was: it need not be parsed again


def _placed(operations: Iterable[tuple[Any, bytes]]) -> Iterator[tuple[Any, bytes, Place | None]]:
    """The operations of a page, each with the matrix of the line that it begins, if it does."""
    line: Place = _ORIGIN
    leading = 0.0
    for operands, operator in operations:
        if operator == b"TL":
            leading = float(operands[0])
        elif operator in (b"BT", b"Tm"):
            line = _ORIGIN if operator == b"BT" else tuple(map(float, operands))
        elif operator in (b"Td", b"TD", b"T*", b"'"):
            x, y = map(float, operands) if operator in (b"Td", b"TD") else (0.0, -leading)
            leading = -y if operator == b"TD" else leading
            a, b, c, d, right, up = line
            line = (a, b, c, d, x * a + y * c + right, x * b + y * d + up)
        is_move = operator in (b"Tm", b"Td", b"TD", b"T*")
        yield operands, operator, line if is_move else None


def _squeezed(text: str) -> str:
    return "".join(_read_through(text.translate(_FOLDED)).split())


def _columns(lines: list[str]) -> list[list[str]]:
    """Lines as blocks in reading order; none if they are side by side, but no columns of prose."""
    wide = 2 * median_low([len(gap) for line in lines for gap in _SPACES.findall(line)] or [1]) + 1
    gaps = [(gap.end(), len(gap[0])) for line in lines for gap in _GAP.finditer(line)]
    shared = Counter(start for start, size in gaps if size >= wide)
    starts = [start for start, n in shared.most_common(_TRIED) if n > 1]
    for start in starts:
        blocks = list(_split(lines, start, wide))
        if len(blocks) > 1:
            return [column for block in blocks for column in _columns(block) or [block]]
    return [] if starts else [lines]


def _split(lines: list[str], start: int, width: int) -> Iterator[list[str]]:
    """Lines as blocks: where columns of prose have a gap before a place, the left, the right."""
    rest = list[str]()
    for is_open, group in groupby(lines, lambda line: not line[start - width : start].strip()):
        own = list(group)
        left, right = ([line[:start].rstrip() for line in own], [line[start:] for line in own])
        meet = sum(bool(a and b[:1].strip()) for a, b in zip(left, right, strict=True))
        if is_open and meet > 1 and _is_prose(left) and _is_prose(right):
            yield from filter(any, (rest, left, right))
            rest = []
        else:
            rest += own
    if any(rest):
        yield rest


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether lines run on, and hold sentences: not so the cells of a table."""
    lines = [_read_through(line) for line in lines]
    full = [line for line in lines if line]
    words = median_high([len(line.split()) for line in full] or [0])
    runs_on = any(not _ENDED.search(line) for line in full[:-1])
    return words >= _WORDS and runs_on and _SENTENCE.search("\n".join(full)) is not None


def _paragraphs(lines: Sequence[str], known: Counter[str]) -> list[str]:
    """Lines joined to paragraphs; empty lines part these, unless they are between most lines."""
    is_spaced = 2 * sum(not line for line in lines) > sum(map(bool, lines)) - 1
    paragraphs, is_parted = list[str](), True
    for line in lines:
        last = paragraphs[-1] if paragraphs else ""
        if not line:
            is_parted = is_parted or not is_spaced or _ENDED.search(last[-_NEAR:]) is not None
        elif is_parted:
            paragraphs.append(line)
        else:
            paragraphs[-1] = _join(last, line, known)
        is_parted = is_parted and not line
    return paragraphs


def _join(text: str, line: str, known: Counter[str]) -> str:
    """Text and the line after it, with a word that a hyphen cuts at the end of a line in one."""
    cut, after = _CUT.search(text[-_NEAR:]), _WORD.match(line)
    if not cut:
        return f"{text} {line}"
    first, second = cut["first"].lower(), after[0].lower() if after else ""
    is_one = known[first + second] > 0 or not (known[first] > 0 and known[second] > 0)
    is_compound = known[f"{first}-{second}"] > 0 or not line[:1].islower()
    keeps = text[-1] != "\u00ad" and (is_compound or not is_one)
    return f"{text if keeps else text[:-1]}{line}"
