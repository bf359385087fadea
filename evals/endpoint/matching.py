"""How the simulated model compares texts: by the words that their sentences share."""

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from errata.evals.endpoint.people import surnames

CLOSE = 0.5
"""A clause that shares more than this part of a claim's words speaks of the same thing."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d\"“])|\n+")
_CLAUSE = re.compile(r"[.;]?\s*$|;\s+")
_NUMBER = re.compile(r"^\s*\[?(\d+)[\].:]+\s*(.*\S)", re.MULTILINE)
_MARK = re.compile(r"^\s*(?:(?:\[[^\]]*\]|\d+[.:]+|[-*•])\s+)+")
_WORD = re.compile(r"\w+")
_SHORT = 3


class Nearest(NamedTuple):
    """The clause that shares most of a claim's words, and which part of them."""

    text: str
    share: float

    @property
    def close(self) -> bool:
        """Whether it speaks of the same thing."""
        return self.share > CLOSE

    @property
    def contradicts(self) -> bool:
        """Whether it speaks of the same thing and says otherwise."""
        return self.close and self.share < 1


@lru_cache(1024)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a text, without the numbers, titles and bullets before them."""
    parts = (_MARK.sub("", part).strip() for part in _SENTENCE.split(text))
    return tuple(part for part in parts if _WORD.search(part))


@lru_cache(1024)
def clauses_of(text: str) -> tuple[str, ...]:
    """What the sentences of a text consist of, parted by semicolons; without their last points."""
    parts = (part for sentence in sentences_of(text) for part in _CLAUSE.split(sentence))
    return tuple(part for part in parts if part)


def read_numbered(text: str) -> list[tuple[int, str]]:
    """The numbered lines of a text; if there are none, its only part as number 1."""
    rows = [(int(number), line) for number, line in _NUMBER.findall(text)]
    return rows or [(1, text)]


@lru_cache(8192)
def words_of(sentence: str) -> frozenset[str]:
    """The words that tell what a sentence is about: numbers, and words of more than 3 letters."""
    words = _WORD.findall(sentence.lower())
    return frozenset(word for word in words if len(word) > _SHORT or word.isdigit())


def find_nearest(claim: str, text: str) -> Nearest:
    """The clause of a text that shares most of a claim's words; of several the longest.

    Passed over are questions, which state nothing, and what does not name the claim's person.
    """
    words = words_of(claim)
    named = words & surnames()
    found = [
        Nearest(each, len(shared) / len(words))
        for each in clauses_of(text)
        if (shared := words & words_of(each)) and named <= shared and not each.endswith("?")
    ]
    return max(found, key=lambda each: (each.share, len(each.text)), default=Nearest("", 0.0))


def find_sentence(question: str, text: str) -> str:
    """The sentence of a text that shares most words with a question; of several the longest.

    Passed over is what `find_nearest` passes over.
    """
    words = words_of(question)
    named = words & surnames()
    shared = {each: words & words_of(each) for each in sentences_of(text) if not each.endswith("?")}
    found = [each for each, common in shared.items() if common and named <= common]
    return max(found, key=lambda each: (len(shared[each]), len(each)), default="")


def mend(text: str, facts: str) -> str:
    """The text with each clause that the facts contradict replaced by the nearest fact."""
    for clause in clauses_of(text):
        nearest = find_nearest(clause, facts)
        if nearest.contradicts:
            text = text.replace(clause, nearest.text)
    return text


def tell_apart(wrong: str, right: str) -> tuple[str, str]:
    """The first words in which two sentences differ, of each; the sentences if one only adds."""
    old, new = wrong.rstrip(".").split(), right.rstrip(".").split()
    a, b = ([word.lower() for word in words] for words in (old, new))
    for kind, start, end, begin, stop in SequenceMatcher(None, a, b, False).get_opcodes():
        if kind == "replace":
            return " ".join(old[start:end]), " ".join(new[begin:stop])
    return wrong, right
