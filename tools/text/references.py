"""A draft as its citations tie it: each sentence with its marks, and the references they name."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from itertools import groupby

from errata.core.edits import Span, Spans
from errata.tools.text.citations import join_marks
from errata.tools.text.mark_places import find_marks
from errata.tools.text.markdown import READING, Block, read_blocks
from errata.tools.text.marks import Known, Mark, Reference
from errata.tools.text.prose import Passage, read_passages, read_sentences
from errata.tools.text.reference_lists import find_references

__all__ = ["CitedSentence", "Mark", "Reference", "read_cited"]


@dataclass(frozen=True, kw_only=True)
class CitedSentence:
    """A sentence, list item or table row, `draft[start:end]`, read without its marks."""

    start: int
    end: int
    text: str
    marks: tuple[Mark, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The sources that its marks name, each once."""
        return tuple(dict.fromkeys(key for mark in self.marks for key in mark.keys))


def read_cited(draft: str) -> tuple[list[CitedSentence], list[Reference]]:
    """The sentences of a draft with their marks, and the references that it lists or links to.

    Raises OutOfTimeError when the run's time is over.
    """
    sentences, references = _read(draft)
    return list(sentences), list(references)


@lru_cache(maxsize=READING)
def _read(draft: str) -> tuple[tuple[CitedSentence, ...], tuple[Reference, ...]]:
    passages = read_passages(draft)
    known, places = find_references(draft, passages)
    sentences = list[CitedSentence]()
    for passage in passages:
        if not places.touching(passage.block.start, passage.block.start + 1):
            sentences += _cited(draft, passage, known)
    links = _linked(sentences, known)
    rows = [block for block in read_blocks(draft)[0].walk() if block.kind == "tr"]
    joined = _join_rows(sentences, Spans(rows, lambda row: (row.start, row.end)))
    return tuple(joined), (*known.references, *links)


def _cited(draft: str, passage: Passage, known: Known) -> list[CitedSentence]:
    """The sentences of a passage, each with the marks in it and after it."""
    found = find_marks(draft, passage, known)
    plain = _without(passage, [hidden for _, hidden in found if hidden])
    spans = read_sentences(plain)
    if not spans or (passage.block.kind in ("heading", "th") and not any(m for m, _ in found)):
        return []
    starts = [plain.places[a] for a, _ in spans]
    marks: list[list[Mark]] = [[] for _ in spans]
    for mark, hidden in found:
        if not mark:
            continue
        place = len(plain.places) if hidden else bisect_left(plain.places, mark.start)
        first = plain.places[place] if place < len(plain.places) else mark.start
        marks[max(0, bisect_right(starts, first) - 1)].append(mark)
    sentences = list[CitedSentence]()
    for (a, b), own in zip(spans, marks, strict=True):
        start, end = plain.span(a, b)
        text = plain.text[a:b].replace("\n", " ")
        sentences.append(CitedSentence(start=start, end=end, text=text, marks=tuple(own)))
    return sentences


def _without(passage: Passage, hidden: Sequence[Span]) -> Passage:
    """A passage without its marks and the white space beside them."""
    content, at = passage.block.content, passage.block.places
    spans = [(bisect_left(at, a), bisect_left(at, b)) for a, b in hidden]
    gone = {at[n] for a, b in join_marks(content, spans) for n in range(a, b)}
    kept = [n for n, place in enumerate(passage.places) if place not in gone]
    marks = [m for m in passage.marks if m.kind not in ("citation", "footnote")]
    text = "".join(passage.text[n] for n in kept)
    return Passage(passage.block, text, [passage.places[n] for n in kept], marks)


def _linked(sentences: Iterable[CitedSentence], known: Known) -> Iterator[Reference]:
    """A reference for each address that marks link to and no list has."""
    seen = set(known.keys)
    for mark in (m for sentence in sentences for m in sentence.marks if m.form == "link"):
        for piece in mark.pieces:
            [key] = piece.keys
            if key not in seen:
                seen.add(key)
                title = "" if mark.words else unescape(piece.label).strip()
                yield Reference(key=key, text=title or key, title=title, url=key)


def _join_rows(sentences: Iterable[CitedSentence], rows: Spans[Block]) -> Iterator[CitedSentence]:
    """The sentences, those of a table's row as one."""

    def row_of(sentence: CitedSentence) -> Block | CitedSentence:
        return next(iter(rows.touching(sentence.start, sentence.end)), sentence)

    for row, group in groupby(sentences, row_of):
        cells = list(group)
        text = f"| {' | '.join(cell.text for cell in cells)} |"
        marks = tuple(mark for cell in cells for mark in cell.marks)
        start, end = cells[0].start, cells[-1].end
        is_row = isinstance(row, Block)
        yield CitedSentence(start=start, end=end, text=text, marks=marks) if is_row else cells[0]
