"""Words and their opposites, synonyms and wider terms, as tables for rules.

They are in `opposites.txt`: in each section lines of words or phrases with slashes between them.
More synonyms are in `synonyms.txt`, as stems, by their most frequent sense.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from errata.tools.text.words import stem

TABLE = Path(__file__).with_name("opposites.txt")
STEMS = Path(__file__).with_name("synonyms.txt")


def _read_sections() -> dict[str, list[tuple[str, ...]]]:
    sections: dict[str, list[tuple[str, ...]]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rows = sections.setdefault(line.strip("[]"), [])
        else:
            rows.append(tuple(line.split(" / ")))
    return sections


def _pairs(section: str) -> list[tuple[str, str]]:
    return [(first, second) for first, second in _SECTIONS[section]]


def _both_ways(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    opposites = defaultdict[str, tuple[str, ...]](tuple)
    for first, second in pairs:
        opposites[first] += (second,)
        opposites[second] += (first,)
    return dict(opposites)


_SECTIONS = _read_sections()
CONTRARIES = _both_ways(_pairs("contraries"))
"""The opposites of each word that cannot both be said of one thing at one time."""
OPPOSITES = _both_ways(_pairs("contraries") + _pairs("converses"))
"""Those, and words that hold of two sides of one thing or often stand for something else."""
PHRASES = _both_ways(_pairs("opposite_phrases"))
"""Phrases with their opposites, in both directions."""
SYNONYMS = dict(_pairs("synonyms"))
"""Words that can mostly stand for each other."""
WIDER = dict(_pairs("wider"))
"""Words with a wider term, which holds wherever they hold."""


def synonyms_of(word_stem: str) -> frozenset[str]:
    """The stems of single words that can mostly stand for a word with this stem.

    >>> sorted(synonyms_of("physician"))
    ['doctor']
    """
    return _table().get(word_stem, frozenset())


@cache
def _table() -> dict[str, frozenset[str]]:
    text = STEMS.read_text(encoding="utf-8")
    groups = [set(line.split()) for line in text.splitlines() if not line.startswith("#")]
    groups += [{stem(a), stem(b)} for a, b in SYNONYMS.items() if " " not in a + b]
    table = defaultdict[str, set[str]](set)
    for stems in groups:
        for word in stems:
            table[word] |= stems - {word}
    return {word: frozenset(others) for word, others in table.items()}
