"""Words that mean the same in their most frequent sense, by their stems."""

from collections import defaultdict
from functools import cache
from importlib.resources import files

from errata.tools.text.opposites import SECTIONS, SYNONYMS
from errata.tools.text.words import stem

PHRASES = SECTIONS["same_phrases"]
"""Phrases that mean the same, a group in each line."""


def synonyms_of(word_stem: str) -> frozenset[str]:
    """The stems of single words that can mostly stand for a word with this stem.

    >>> sorted(synonyms_of("physician"))
    ['doctor']
    """
    return _table().get(word_stem, frozenset())


@cache
def _table() -> dict[str, frozenset[str]]:
    text = files("errata.tools.text").joinpath("synonyms.txt").read_text("utf-8")
    groups = [set(line.split()) for line in text.splitlines() if not line.startswith("#")]
    groups += [{stem(a), stem(b)} for a, b in SYNONYMS.items() if " " not in a + b]
    table = defaultdict[str, set[str]](set)
    for stems in groups:
        for word in stems:
            table[word] |= stems - {word}
    return {word: frozenset(others) for word, others in table.items()}
