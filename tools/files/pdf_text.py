"""The text of a PDF as a reader follows it: columns in turn, words joined over lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from math import inf, isfinite
from operator import itemgetter
from statistics import median_high, median_low
from typing import Any
from unicodedata import normalize

_FOLDED = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)} | {0x2003: " "}
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
_ODD = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
_FILL, _ROOM = "\u2003", "\u2060"
"""What stands in a line for room between texts, and in one."""
_GUESSED = dict.fromkeys("ijltf.,;:!|'()[]-/ ", 0.28) | dict.fromkeys("mwMW", 0.8)
_USUAL = 0.5
"""How wide letters are where a font does not say it."""
_UNIT, _WIDEST, _PARTED = 0.25, 1000, 1.8
"""Of a letter's height: the width of a place, and the least way from a paragraph to the next."""
_TRIED = 4
"""How many places a column may begin at are looked at."""
_WORDS = 3
"""The fewest words of half the lines of prose; a table's cells have fewer."""
Place = tuple[float, ...]
Piece = tuple[float, float, float, float, str]
"""How far down and to the right a text is, how high and wide, and what it says."""


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
    lines, plain = _lines(page)
    found = _columns(lines)
    laid, filed = _squeezed("".join(lines)), _squeezed(plain)
    if not found or len(laid) != len(filed) or not (found[1:] or laid == filed):
        found = [plain.translate(_FOLDED).split("\n")]
    blocks = ("\n".join(map(_read_through, block)).strip("\n") for block in found)
    return [block.split("\n") for block in blocks]


def _lines(page: Any) -> tuple[list[str], str]:
    """The lines of a page from top to bottom, each text at its place, and the text as it is filed.

    What fills the room between texts is no space: those are where pypdf has them.
    """
    pieces = list[Piece]()

    def note(text: str, ground: Place, line: Place, font: Any, size: float) -> None:
        with suppress(*_ODD):
            *scale, x, y = _times(line, ground)
            height = abs(size * scale[3])
            piece = -y, x, height, _width(text.rstrip(), font) * height
            if text.strip() and all(map(isfinite, piece)):
                pieces.append((*piece, text))

    with suppress(*_ODD):
        _set_apart(page)
    plain = page.extract_text(visitor_text=note)
    height = max(median_low([piece[2] for piece in pieces] or [1.0]), 1.0)
    lines, last = list[str](), -inf
    for row in _rows(sorted(pieces, key=itemgetter(0)), height / 2):
        if row[0][0] - last > _PARTED * height and lines:
            lines.append("")
        last = row[0][0]
        lines.append(_line(row, height * _UNIT))
    return lines, plain


def _rows(pieces: Iterable[Piece], near: float) -> Iterator[list[Piece]]:
    """Pieces from top to bottom by line, each line from left to right."""
    row = list[Piece]()
    for piece in pieces:
        if row and piece[0] - row[0][0] > near:
            yield sorted(row, key=itemgetter(1))
            row = []
        row.append(piece)
    if row:
        yield sorted(row, key=itemgetter(1))


def _line(row: Iterable[Piece], unit: float) -> str:
    """A line with each text at its place, which takes as much room as it does on the page."""
    line = ""
    for _, x, _, width, text in row:
        start, end = (int(min(max(place / unit, 0.0), _WIDEST)) for place in (x, x + width))
        line += _FILL * (start - len(line)) + text.translate(_FOLDED).replace("\n", " ")
        line += _ROOM * (end - len(line))
    return line.rstrip()


def _width(text: str, font: Any) -> float:
    """About how wide a text is, in heights of its letters."""
    told, first = (font or {}).get("/Widths"), int((font or {}).get("/FirstChar", 0))
    widths = [] if told is None else told.get_object()
    places = ((ord(char) - first, char) for char in text)
    known = ((widths[n] if 0 <= n < len(widths) else 0, char) for n, char in places)
    return sum(float(w) / 1000 if w else _GUESSED.get(char, _USUAL) for w, char in known)


def _read_through(line: str) -> str:
    """A line without what only takes room."""
    return " ".join(line.replace(_FILL, "").replace(_ROOM, "").split())


def _times(a: Place, b: Place) -> Place:
    """The product of two matrices of a PDF."""
    return (
        *(a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3]),
        *(a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]),
        *(a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5]),
    )


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
        page[NameObject("/Contents")] = content


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
            line = _times((1.0, 0.0, 0.0, 1.0, x, y), line)
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
