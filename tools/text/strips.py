"""Documents cut into strips: sentences small enough to keep or drop."""

from dataclasses import dataclass
from functools import cached_property

from errata.records import Document, Quote
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import Word, split_words

MAX_WORDS = 70


@dataclass(frozen=True)
class Strip:
    """Hold a stretch of a document, with its words counted once."""

    document: str
    start: int
    end: int
    text: str

    @cached_property
    def words(self) -> list[Word]:
        """Give the words of the strip, with offsets within it."""
        return split_words(self.text)

    @cached_property
    def stems(self) -> list[str]:
        """Give the stems of all words, in order."""
        return [word.stem for word in self.words]

    @cached_property
    def bag(self) -> frozenset[str]:
        """Give the distinct stems."""
        return frozenset(self.stems)

    @cached_property
    def spans(self) -> list[Entity]:
        """Give the typed spans, with offsets within the strip."""
        return find_entities(self.text)

    @property
    def quote(self) -> Quote:
        """Give the strip as a quote of its document."""
        return Quote(document=self.document, start=self.start, end=self.end, text=self.text)


def split_strips(document: Document) -> list[Strip]:
    """Cut a document into sentences of at most 70 words each."""
    return [
        Strip(document.id, start, end, document.text[start:end])
        for first, last in split_sentences(document.text)
        for start, end in _pieces(document.text, first, last)
    ]


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut one long sentence into runs of at most MAX_WORDS words."""
    found = split_words(text[start:end])
    if len(found) <= MAX_WORDS:
        return [(start, end)]
    firsts = [start, *(start + found[i].start for i in range(MAX_WORDS, len(found), MAX_WORDS))]
    lasts = [*firsts[1:], end]
    return [(a, a + len(text[a:b].rstrip())) for a, b in zip(firsts, lasts, strict=True)]
