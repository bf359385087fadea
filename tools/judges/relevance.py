"""The evaluator's lexical features: what a question and a text have in common."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from errata.tools.judges.logistic import Features
from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import PREFIX, split_stems, split_words

MAX_IDF = 7.0
"""The inverse document frequency of a stem that is not in the table."""
_ANSWER_KINDS = (
    (re.compile(r"\bhow (?:many|much|long|old|far|tall|big|large)\b", re.IGNORECASE), ("number",)),
    (re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day)\b", re.IGNORECASE), ("year", "date")),
    (re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE), ("name",)),
)
_DEFINITION = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one)\b")
_BRACKETS = re.compile(r"\s*\([^)]*\)$")
OPENING = 300
"""How many characters of a text can introduce what it is about."""
QUESTION_WORDS = frozenset(
    "who whom whose what which when where why how many much tell give describe explain bio "
    "biography".split()
)


@dataclass(frozen=True)
class Question:
    """A question with its stems, its names and the kinds of entity that can answer it."""

    text: str
    idf_table: Mapping[str, float]

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The distinct content stems in order, without question words."""
        words = (word for word in split_words(self.text) if word.is_content)
        return tuple(dict.fromkeys(w.stem for w in words if w.text.lower() not in QUESTION_WORDS))

    @cached_property
    def spelled(self) -> str:
        """The stems of all words, with a space around each."""
        return f" {' '.join(split_stems(self.text))} "

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """The content stems that are part of a name."""
        names = (entity for entity in find_entities(self.text) if entity.kind == "name")
        stems = frozenset(word.stem for name in names for word in split_words(name.text))
        return stems & frozenset(self.stems)

    @cached_property
    def answer_kinds(self) -> tuple[str, ...]:
        """The kinds of entity that can answer it; empty where any text can."""
        return next((kinds for pattern, kinds in _ANSWER_KINDS if pattern.search(self.text)), ())

    def idf(self, stem: str) -> float:
        """A stem's inverse document frequency."""
        return self.idf_table.get(stem, MAX_IDF)

    def coverage(self, stems: Sequence[str] | frozenset[str], bag: frozenset[str]) -> float:
        """The share of the stems' idf that a bag of stems covers; 0 without stems."""
        total = sum(self.idf(stem) for stem in stems)
        return sum(self.idf(s) for s in stems if s in bag) / total if total else 0.0


def relevance_features(question: Question, title: str, text: str) -> Features:
    """The features of a question and a titled text, by name."""
    body = [word.stem for word in split_words(text)]
    bag, head = frozenset(body), [w.stem for w in split_words(title) if w.is_content]
    bags = [
        frozenset(word.stem for word in split_words(text[start:end]))
        for start, end in split_sentences(text)
    ] or [frozenset()]
    rest = [stem for stem in question.stems if stem not in question.name_stems]
    prefixes = {stem[:PREFIX] for stem in bag}
    pairs = set(pairwise(body))
    missing = [question.idf(s) for s in question.stems if s not in bag]
    return {
        "cover": question.coverage(question.stems, bag | frozenset(head)),
        "cover_body": question.coverage(question.stems, bag),
        "cover_sentence": max(question.coverage(question.stems, b) for b in bags),
        "cover_pair": max(
            question.coverage(question.stems, b) for b in [a | b for a, b in pairwise(bags)] or bags
        ),
        **_name_features(question, bag, frozenset(head), bags[0]),
        "rest": question.coverage(rest, bag) if rest else 1.0,
        "rest_sentence": max(question.coverage(rest, b) for b in bags) if rest else 1.0,
        "rest_opening": _share([s[:PREFIX] in prefixes for s in rest]),
        "introduces": float(_introduces(question, title, text[:OPENING])),
        "title_asked": _share([stem in question.stems for stem in head]),
        "pairs": _share([pair in pairs for pair in pairwise(question.stems)]),
        "answer": _has_answer(question, text),
        "missing": max(missing, default=0.0) / MAX_IDF,
        "length": math.log1p(len(body)),
        "asked": math.log1p(len(question.stems)),
    }


def _name_features(
    question: Question, body: frozenset[str], title: frozenset[str], first: frozenset[str]
) -> Features:
    """How much of the question's names the body, the title and the first sentence cover."""
    names = question.name_stems
    return {
        "names": question.coverage(names, body) if names else 0.5,
        "names_title": question.coverage(names, title) if names else 0.5,
        "named": float(bool(names)),
        "names_first": question.coverage(names, first) if names else 0.5,
    }


def _introduces(question: Question, title: str, opening: str) -> bool:
    """Whether the question names the title, and the text begins by saying what that is.

    What is asked of a thing mostly stands where it is introduced, often in other words.
    """
    named = " ".join(split_stems(_BRACKETS.sub("", title)))
    if not named or f" {named} " not in question.spelled or not _DEFINITION.search(opening):
        return False
    return bool(question.name_stems) and question.name_stems <= set(split_stems(opening))


def _share(values: Sequence[bool]) -> float:
    """The share of true values; 0 of none."""
    return sum(values) / len(values) if values else 0.0


def _has_answer(question: Question, text: str) -> float:
    """Whether the text has an entity that can answer; 0.5 where the question asks for no kind."""
    if not question.answer_kinds:
        return 0.5
    candidates = (e for e in find_entities(text) if e.kind in question.answer_kinds)
    known = frozenset(question.stems)
    return float(any(not {w.stem for w in split_words(e.text)} & known for e in candidates))
