"""Strips: the sentences of a document, long ones cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from errata.core.limits import check_time, current_bounds, note_undone
from errata.core.records import Document, Quote
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import Word, split_stems, split_words

MAX_WORDS = 70
T = TypeVar("T")


@dataclass(frozen=True)
class Strip:
    """A short passage of a document; its words and entities are computed once."""

    document: str
    start: int
    end: int
    text: str

    @cached_property
    def words(self) -> list[Word]:
        """Its words, with offsets within the strip."""
        return split_words(self.text)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of all its words, in order."""
        return tuple(split_stems(self.text))

    @cached_property
    def bag(self) -> frozenset[str]:
        """The distinct stems."""
        return frozenset(self.stems)

    @cached_property
    def entities(self) -> list[Entity]:
        """Its entities, with offsets within the strip."""
        return find_entities(self.text)

    @property
    def quote(self) -> Quote:
        """The strip as a quote of its document."""
        return Quote(document=self.document, start=self.start, end=self.end, text=self.text)


def split_strips(document: Document) -> list[Strip]:
    """Split a document into strips: sentences, cut into pieces of at most 70 words."""
    return [
        Strip(document.id, start, end, document.text[start:end])
        for first, last in split_sentences(document.text)
        for start, end in _pieces(document.text, first, last)
    ]


def first_strips(strips: Sequence[T]) -> Sequence[T]:
    """As many strips as the open bounds allow."""
    most = current_bounds().max_strips
    if len(strips) > most:
        note_undone(f"only the first max_strips={most} strips of the documents were read")
    return strips[:most]


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The start and end of a sentence's pieces, each of at most MAX_WORDS words."""
    check_time()
    if end - start < 2 * MAX_WORDS:
        return [(start, end)]
    words = split_words(text[start:end])
    if len(words) <= MAX_WORDS:
        return [(start, end)]
    starts = [start, *(start + word.start for word in words[MAX_WORDS::MAX_WORDS])]
    ends = [*starts[1:], end]
    return [(a, a + len(text[a:b].rstrip())) for a, b in zip(starts, ends, strict=True)]
