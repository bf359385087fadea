"""Sentences and passages of a text; strips of documents, and the ranking of texts by BM25."""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from sentencex import get_sentence_boundaries

from errata.core.edits import Span
from errata.core.limits import check_time, note_undone
from errata.core.records import Document, Quote
from errata.core.words import fold
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.words import WORD, Word, split_stems, split_words

MAX_WORDS = 100  # of a passage, as the papers' passages of Wikipedia have
# The splitter misses a boundary after a closing quotation mark or citation ("It ended.[1] He") or
# a unit ("at 45 km/h. It"), and takes May for an abbreviation.
MISSED_BOUNDARY = re.compile(
    r"(?<=[a-z\d)][.!?][\"”’])\s+(?=[A-Z])|(?<=[.!?]\])\s+(?=[A-Z])"
    r"|(?<=/[a-z][.!?])\s+(?=[A-Z])|(?<=\bMay\.)\s+(?=[A-Z])"
    r"|(?<=[A-Z][.!?][\"”’])\s+(?=(?:He|She|It|They|In|On|The|His|Her|After)\b)"
)
_QUOTES = str.maketrans(dict.fromkeys("“‘«»„‹'`", '"'))
MOST_QUOTES = 1000
"""The most quotation marks of a line that the splitter pairs: it looks for the other one of each
to the end, but not of a straight double one."""
MAX_SENTENCE = 5_000  # characters; a longer one counts as several
MAX_STRIPS = 20_000  # that are read of all documents together
STRIP_WORDS = 70
T = TypeVar("T")


def split_sentences(text: str, language: str = "en") -> list[Span]:
    """The start and end of every sentence, in characters, without surrounding whitespace.

    A sentence that is longer than the open bounds allow counts as several. Raises OutOfTimeError
    when the run's time is over.
    """
    sentences = list[Span]()
    for line in re.finditer(r"[^\n]+", text):
        check_time()
        start, end = line.span()
        plain = line[0].translate(_QUOTES)
        read = plain if plain.count('"') > MOST_QUOTES else line[0]
        boundaries = get_sentence_boundaries(language, read)
        missed = MISSED_BOUNDARY.finditer(text, start, end)
        cuts = {start, end, *(start + boundary["start_index"] for boundary in boundaries)}
        for a, b in pairwise(sorted(cuts.union(match.end() for match in missed))):
            first, last = _trim(text, a, b)
            sentences += _pieces(text, first, last) if first < last else ()
    return sentences


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentence, or the parts of one that is too long, as a rule cut between two words."""
    if end - start > MAX_SENTENCE:
        note_undone(f"sentences over {MAX_SENTENCE} characters were cut into several")
    while end - start > MAX_SENTENCE:
        limit = start + MAX_SENTENCE
        cut = text.rfind(" ", start + MAX_SENTENCE // 2, limit)
        cut = limit if cut < 0 else cut
        yield _trim(text, start, cut)
        start, end = _trim(text, cut, end)
    yield start, end


def inside_quotes(text: str, marks: str = '"“”„«»') -> str:
    """The words between the quotation marks around a text; empty unless it is one quotation.

    >>> inside_quotes('"They sang "Ode to Joy"."'), inside_quotes('"A." "B."')
    ('They sang "Ode to Joy".', '')
    """
    inner = text[1:-1]
    first = re.search(r"[\"“”„«»]", inner)
    if {text[:1], text[-1:]} - set(marks) or (first and first[0] in "”»"):
        return ""
    opens = not first or first.start() == 0 or inner[first.start() - 1] in " \n([—–-"
    return inner if opens else ""


def _trim(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def passage_spans(text: str) -> list[Span]:
    """The start and end of passages: whole sentences, at most 100 words unless it is only one."""
    spans, length = list[Span](), 0
    for start, end in split_sentences(text):
        count = len(WORD.findall(text, start, end))
        joins = spans and length + count <= MAX_WORDS
        first, length = (spans.pop()[0], length + count) if joins else (start, count)
        spans.append((first, end))
    return spans


class Worded:
    """A text whose words are computed once."""

    text: str

    @cached_property
    def words(self) -> list[Word]:
        """All words, with offsets within the text."""
        return split_words(self.text)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of all words, in order."""
        return tuple(split_stems(self.text))

    @cached_property
    def bag(self) -> frozenset[str]:
        """The distinct stems."""
        return frozenset(self.stems)


@dataclass(frozen=True)
class Strip(Worded):
    """A short passage of a document, folded; its words and entities are computed once."""

    document: str
    start: int
    end: int
    text: str
    written: str  # the text as its document has it

    @cached_property
    def entities(self) -> list[Entity]:
        """Its entities, with offsets within the strip."""
        return find_entities(self.text)

    @property
    def quote(self) -> Quote:
        """The strip as a quote of its document."""
        return Quote(document=self.document, start=self.start, end=self.end, text=self.written)


def split_strips(document: Document) -> list[Strip]:
    """Split a document into strips: sentences, cut into pieces of at most 70 words."""
    strips, text = list[Strip](), document.text
    for start, end in split_sentences(text):
        check_time()
        words = split_words(text[start:end]) if end - start >= 2 * STRIP_WORDS else []
        starts = [start, *(start + word.start for word in words[STRIP_WORDS::STRIP_WORDS])]
        for a, b in pairwise([*starts, end]):
            last = a + len(text[a:b].rstrip())
            strips.append(Strip(document.id, a, last, fold(text[a:last]), text[a:last]))
    return strips


def first_strips(strips: Sequence[T]) -> Sequence[T]:
    """As many strips as are read of all documents together."""
    if len(strips) > MAX_STRIPS:
        note_undone(f"only the first {MAX_STRIPS} strips of the documents were read")
    return strips[:MAX_STRIPS]


class Ranking:
    """A BM25 index over texts."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        """Index texts; without any stem in them every query gets an empty ranking."""
        self._bm25 = new_index() if any(texts) else None
        if self._bm25:
            self._bm25.index([list(stems) for stems in texts], show_progress=False)

    def best(self, stems: Sequence[str], k: int) -> list[tuple[int, float]]:
        """The position and BM25 score of at most k texts that share a stem with the query."""
        return best_of(self._bm25, stems, k) if self._bm25 else []


def best_of(bm25: Any, stems: Iterable[str], k: int) -> list[tuple[int, float]]:
    """The position and BM25 score of at most k texts of an index that share a stem with a query."""
    known = [stem for stem in dict.fromkeys(stems) if stem in bm25.vocab_dict]
    if not known:
        return []
    import numpy as np

    scores = bm25.get_scores(known)
    found = np.flatnonzero(scores > 0)
    if len(found) > k:  # a few of very many are sorted alone, with those that are as good
        found = found[scores[found] >= np.partition(scores[found], -k)[-k]]
    order = found[np.argsort(-scores[found], kind="stable")][:k]
    return [(int(i), float(scores[i])) for i in order]


def new_index() -> Any:
    """An empty index of bm25s."""
    return _bm25s().BM25(method="lucene")


def open_index(folder: Path) -> Any:
    """An index that bm25s has saved in a folder with its corpus, memory-mapped."""
    return _bm25s().BM25.load(folder, mmap=True, load_corpus=True, show_progress=False)


def _bm25s() -> Any:
    """The module, imported only here: it brings numpy."""
    import bm25s

    # bm25s sets its own logger to DEBUG, which shows as soon as anything logs to the terminal.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s
