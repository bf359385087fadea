"""Words and their opposites and synonyms, as tables for rules.

They are in `opposites.txt`: in each section lines of words or phrases with slashes between them.
More synonyms are in `synonyms.txt`, as stems, by their most frequent sense.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from errata.tools.text.words import stem

FOLDER = Path(__file__).parent


def _pairs(section: str) -> list[tuple[str, str]]:
    text = (FOLDER / "opposites.txt").read_text(encoding="utf-8")
    rows = text.partition(f"[{section}]\n")[2].partition("\n[")[0].splitlines()
    return [(first, second) for first, _, second in (row.partition(" / ") for row in rows)]


def both_ways(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """For each word of the pairs all words that are paired with it."""
    others = defaultdict[str, tuple[str, ...]](tuple)
    for first, second in pairs:
        others[first] += (second,)
        others[second] += (first,)
    return dict(others)


CONTRARIES = both_ways(_pairs("contraries"))
"""The opposites of each word that cannot both be said of one thing at one time."""
PHRASES = both_ways(_pairs("opposite_phrases"))
"""Phrases with their opposites, in both directions."""
SYNONYMS = dict(_pairs("synonyms"))
"""Words that can mostly stand for each other."""


@cache
def _table() -> dict[str, frozenset[str]]:
    lines = (FOLDER / "synonyms.txt").read_text(encoding="utf-8").splitlines()
    groups = [set(line.split()) for line in lines if not line.startswith("#")]
    groups += [{stem(a), stem(b)} for a, b in SYNONYMS.items() if " " not in a + b]
    table = defaultdict[str, set[str]](set)
    for stems in groups:
        for word in stems:
            table[word] |= stems - {word}
    return {word: frozenset(others) for word, others in table.items()}


def synonyms_of(word_stem: str) -> frozenset[str]:
    """The stems of single words that can mostly stand for a word with this stem.

    >>> sorted(synonyms_of("physician"))
    ['doctor']
    """
    return _table().get(word_stem, frozenset())
