"""What a question and a text have in common, as numbers for the local evaluator."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from errata.tools.judges.features import PREFIX
from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import split_words

Idf = Mapping[str, float]
RARE = 7.0
"""The inverse document frequency of a stem that the table does not hold."""
_WANTED = (
    (re.compile(r"\bhow (?:many|much|long|old|far|tall|big|large)\b", re.IGNORECASE), ("number",)),
    (re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day)\b", re.IGNORECASE), ("year", "date")),
    (re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE), ("name",)),
)
ASKING = frozenset(
    "who whom whose what which when where why how many much tell give describe explain bio "
    "biography".split()
)


@dataclass(frozen=True)
class Question:
    """Read a question once: what it names, what it asks of it, and what kind of answer it wants."""

    text: str
    idf: Idf

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Give the distinct stems that carry meaning, in order."""
        found = (
            w.stem for w in split_words(self.text) if w.is_content and w.text.lower() not in ASKING
        )
        return tuple(dict.fromkeys(found))

    @cached_property
    def names(self) -> frozenset[str]:
        """Give the stems of proper names."""
        named = (s for s in find_entities(self.text) if s.kind == "name")
        return frozenset(w.stem for s in named for w in split_words(s.text)) & frozenset(self.stems)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """Give the kinds of span that would answer it; none where anything might."""
        return next((kinds for pattern, kinds in _WANTED if pattern.search(self.text)), ())

    def weight(self, stem: str) -> float:
        """Give a stem's inverse document frequency."""
        return self.idf.get(stem, RARE)

    def cover(self, stems: Sequence[str] | frozenset[str], bag: frozenset[str]) -> float:
        """Give the share of some stems that a bag holds, rare ones counting more."""
        total = sum(self.weight(stem) for stem in stems)
        return sum(self.weight(s) for s in stems if s in bag) / total if total else 0.0


def relevance(question: Question, title: str, text: str) -> dict[str, float]:
    """Compare a question with a titled text."""
    body = [word.stem for word in split_words(text)]
    bag, head = frozenset(body), [w.stem for w in split_words(title) if w.is_content]
    rows = [[w.stem for w in split_words(text[a:b])] for a, b in split_sentences(text)] or [[]]
    bags = [frozenset(row) for row in rows]
    rest = [stem for stem in question.stems if stem not in question.names]
    near = [a | b for a, b in pairwise(bags)] or bags
    best = max(range(len(bags)), key=lambda i: question.cover(question.stems, bags[i]))
    openings = {stem[:PREFIX] for stem in bag}
    pairs = set(pairwise(body))
    missing = [question.weight(s) for s in question.stems if s not in bag]
    return {
        "cover": question.cover(question.stems, bag | frozenset(head)),
        "cover_body": question.cover(question.stems, bag),
        "cover_sentence": question.cover(question.stems, bags[best]),
        "cover_pair": max(question.cover(question.stems, b) for b in near),
        "names": question.cover(question.names, bag) if question.names else 0.5,
        "names_title": question.cover(question.names, frozenset(head)) if question.names else 0.5,
        "named": float(bool(question.names)),
        "names_first": question.cover(question.names, bags[0]) if question.names else 0.5,
        "rest": question.cover(rest, bag) if rest else 1.0,
        "rest_sentence": max(question.cover(rest, b) for b in bags) if rest else 1.0,
        "rest_opening": _share([s[:PREFIX] in openings for s in rest]),
        "title_asked": _share([stem in question.stems for stem in head]),
        "pairs": _share([pair in pairs for pair in pairwise(question.stems)]),
        "answer": _answered(question, text),
        "missing": max(missing, default=0.0) / RARE,
        "length": math.log1p(len(body)),
        "asked": math.log1p(len(question.stems)),
    }


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def _answered(question: Question, text: str) -> float:
    """Tell whether the text holds something of the kind asked for, beside what is asked about."""
    if not question.wanted:
        return 0.5
    kinds = (span for span in find_entities(text) if span.kind in question.wanted)
    known = frozenset(question.stems)
    return float(any(not {w.stem for w in split_words(span.text)} & known for span in kinds))
