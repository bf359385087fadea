"""What a text says: its words without markdown, each with its place; what table cells are about."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from errata.core.edits import Span, Spans
from errata.tools.text.citations import HEDGE, find_marked
from errata.tools.text.inline import PROTECTED, InlineMark, find_inline_marks, hidden
from errata.tools.text.markdown import READING, Block, read_blocks
from errata.tools.text.sentences import inside_quotes, split_sentences

WRAPPED = 60  # characters of a line, from which on the next one goes on with it
_BULLET = re.compile(r"[•‣◦·▪●–]\s+|\(?\d{1,3}[.)]\s+|\[[ xX]\]\s+")
BOLD_LEVEL = "7"  # of a heading that is only bold, below those of markdown
_BOLD = re.compile(r"(?:\*\*[^*\n]+[^*\n.!?]\*\*|__[^_\n]+[^_\n.!?]__):?")
_CODE = frozenset(
    "fence code_block math_block amsmath front_matter definition html_block html_text".split()
)
_END = re.compile(r"[.!?:;…][\"”’)]*\Z")
_PAIR = 2
_NUMBER = re.compile(r"(?!(?:1\d|20)\d\d\Z)\d[\d.,]*(?: (?:thousand|million|billion))?")
_HEAD = re.compile(r"(?P<things>[^()\[\]]*[^\W\d_])(?: ?[(\[](?P<unit>[^\W\d_][^()\[\]]*)[)\]])?")


@dataclass(frozen=True)
class Passage:
    """The words of one block, as they read without markdown."""

    block: Block
    text: str
    places: Sequence[int]  # where each character of `text` stands in the whole text
    marks: Sequence[InlineMark]  # the links, images, emphasis and so on in the block

    @cached_property
    def _placed(self) -> Spans[InlineMark]:
        return Spans(self.marks, lambda mark: (mark.start, mark.end))

    def span(self, start: int, end: int) -> Span:
        """Where `text[start:end]` stands in the whole text, with the marks that are only on it.

        A citation is on whole sentences: it stays where only their last words go.
        """
        whole = bool(_END.search(self.text, start, end)) or self.text[end : end + 1] in ("", "\n")
        first, last = self.places[start], self.places[end - 1] + 1
        grown = True
        while grown:
            grown = False
            for mark in self._placed.touching(first - 1, last + 1):
                if _belongs(mark, first, last) and (whole or mark.kind != "citation"):
                    first, last, grown = min(first, mark.start), max(last, mark.end), True
        return first, last


def _belongs(mark: InlineMark, first: int, last: int) -> bool:
    """Whether a mark is on nothing but a stretch, and not yet within it."""
    if mark.kind in PROTECTED or (first <= mark.start and mark.end <= last):
        return False
    if mark.kind in ("footnote", "citation"):
        return mark.start == last
    if mark.kind == "bullet":
        return mark.end == first
    return mark.inner[0] < mark.inner[1] and first <= mark.inner[0] and mark.inner[1] <= last


@lru_cache(maxsize=READING)
def read_passages(text: str) -> tuple[Passage, ...]:
    """The passages of a text in reading order: of paragraphs, items, headings and cells.

    Paragraphs are headings in all but markup if they are a few bold words above other text. Code,
    formulas, blocks of HTML, comments and images are in none of them. Raises OutOfTimeError when
    the run's time is over.
    """
    root, env = read_blocks(text)
    pairs = (pair for block in root.walk() for pair in pairwise(block.children))
    heads = {
        block
        for block, following in pairs
        if block.kind == "paragraph"
        and _BOLD.fullmatch(block.content)
        and not _BOLD.fullmatch(following.content)
    }
    blocks = (block for block in root.walk() if block.content)
    parts = (replace(b, kind="heading", info=BOLD_LEVEL) if b in heads else b for b in blocks)
    passages = (_read(part, env) for part in parts)
    return tuple(passage for passage in passages if re.search(r"\w", passage.text))


def protected_places(text: str) -> Spans[Span]:
    """Where code, formulas, tags, images, comments and data stand, which nothing may change."""
    root, _ = read_blocks(text)
    places = [(block.start, block.end) for block in root.walk() if block.kind in _CODE]
    marks = (mark for passage in read_passages(text) for mark in passage.marks)
    places += [(m.start, m.end) for m in marks if m.kind in PROTECTED or m.kind == "code"]
    return Spans(places, lambda place: place)


def read_sentences(passage: Passage, language: str = "en") -> list[Span]:
    """The sentences of a passage, as places in its text; none begins or ends inside a link.

    Those of a passage that is one quotation are without its quotation marks.
    """
    sentences = split_sentences(passage.text, language)
    quoted = split_sentences(inside_quotes(passage.text), language)
    if len(quoted) > 1:
        sentences = [(start + 1, end + 1) for start, end in quoted]
    starts = [passage.places[a] for a, _ in sentences]
    ends = [passage.places[b - 1] + 1 for _, b in sentences]
    torn = [0] * (len(sentences) + 1)
    for mark in passage.marks:
        first, last = bisect_right(starts, mark.inner[0]) - 1, bisect_left(starts, mark.inner[1])
        whole = mark.kind == "emphasis" and first >= 0 and starts[first] >= mark.inner[0]
        if max(0, first) + 1 < last and not (whole and ends[last - 1] <= mark.inner[1]):
            torn[max(0, first) + 1] += 1
            torn[last] -= 1
    kept = [n for n, depth in enumerate(accumulate(torn[:-1])) if not depth]
    return [(sentences[a][0], sentences[b - 1][1]) for a, b in pairwise([*kept, len(sentences)])]


def _read(block: Block, env: dict[str, Any]) -> Passage:
    """The words of a block; a line break inside a sentence is a space."""
    marks = [*find_inline_marks(block, env), *_bullets(block)]
    code = Spans((m for m in marks if m.kind == "code"), lambda mark: (mark.start, mark.end))
    for first, last in find_marked(block.content):
        start, end = block.span(first, last)
        if not code.touching(start, end):
            marks = [m for m in marks if m.kind != "tag" or not start <= m.start < end]
            marks.append(InlineMark("citation", start, end, (end, end)))
    broken = {mark.start for mark in marks if mark.kind == "break"}
    unread, number = sorted(span for mark in marks for span in hidden(mark)), 0
    text, places, skipped, breaks = list[str](), list[int](), False, _breaks(block)
    for index, (character, place) in enumerate(zip(block.content, block.places, strict=True)):
        while number < len(unread) and unread[number][1] <= place:
            number += 1
        shown = breaks.get(index, character)
        if number < len(unread) and unread[number][0] <= place:
            skipped = True
        elif not (skipped and shown == " " and text and text[-1] in " \n"):
            text.append("\n" if place in broken else shown)
            places.append(place)
            skipped = False
    return Passage(block, "".join(text), places, marks)


def _breaks(block: Block) -> dict[int, str]:
    """For each line break what it reads as: a space inside a sentence, else itself."""
    breaks, start, lines = dict[int, str](), 0, block.content.split("\n")
    for line, following in pairwise(lines):
        start += len(line) + 1
        goes_on = following[:1].islower() or len(HEDGE.sub("", line)) >= WRAPPED
        ends = line.endswith(("  ", "\\")) or _BULLET.match(following)
        breaks[start - 1] = " " if goes_on and not ends else "\n"
    return breaks


def _bullets(block: Block) -> Iterator[InlineMark]:
    """What begins lines like items of a list, though it is none in markdown, or marks a task."""
    start = 0
    for line in block.content.split("\n"):
        bullet = _BULLET.match(line)
        if bullet and bullet.end() < len(line) and (start or not line[0].isdigit()):
            first, last = block.places[start], block.places[start + bullet.end()]
            yield InlineMark("bullet", first, last, (last, last))
        start += len(line) + 1


class Label(NamedTuple):
    """What is read before and after the words of a cell, as in `Saturn: 146 moons.`."""

    before: str
    after: str = ""

    def read(self, words: str) -> str:
        """The cell as a claim."""
        return f"{self.before}{words.rstrip('.')}{self.after}."


def label_cells(text: str) -> dict[int, Label]:
    """For each cell that states something, by where it begins, what it is about.

    That is the first cell of its row with a word in it, which itself states nothing, and the head
    of its column if rows have more than two cells. A number comes before that head, with the unit
    that stands there in brackets.
    """
    root, _ = read_blocks(text)
    words = {p.block.start: p.text.strip() for p in read_passages(text)}
    labels: dict[int, Label] = {}
    for table in (block for block in root.walk() if block.kind == "table"):
        heads, *rows = [row.children for part in table.children for row in part.children]
        names = [words.get(head.start, "") for head in heads]
        for row in rows:
            labels |= _labels(row, names, words)
    return labels


def _labels(row: Sequence[Block], names: Sequence[str], words: dict[int, str]) -> dict[int, Label]:
    texts = [words.get(cell.start, "") if cell.content else "" for cell in row]
    filled = [number for number, text in enumerate(texts) if text]
    if len(filled) < _PAIR:
        return {row[n].start: Label(f"{names[n] or 'in the table'}: ") for n in filled}
    head = next((n for n in filled if re.search(r"[^\W\d_]{2}", texts[n])), filled[0])
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
    if head["unit"]:
        return Label(f"{about}: {things} of ", f" {head['unit']}")
    return Label(f"{about}: ", f" {things}")
