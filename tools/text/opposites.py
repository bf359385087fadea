"""Words and their opposites, synonyms and wider terms, as tables for rules.

The words are in `opposites.txt`: in each section lines of two words with a slash between them.
"""

from collections.abc import Iterable
from pathlib import Path

from errata.tools.text.words import stem

Pair = tuple[str, str]
TABLE = Path(__file__).with_name("opposites.txt")
_PAST = dict(
    entry.split(":")
    for entry in (
        "win:won lose:lost rise:rose fall:fell begin:began grow:grew shrink:shrank buy:bought "
        "sell:sold give:gave take:took teach:taught lend:lent forbid:forbade leave:left lead:led "
        "forget:forgot freeze:froze sink:sank send:sent keep:kept cut:cut quit:quit split:split "
        "stop:stopped permit:permitted admit:admitted ban:banned repel:repelled cancel:cancelled "
        "withhold:withheld"
    ).split()
)
"""Past forms that are no base form with -ed."""
_DOUBLING = frozenset(
    "win begin stop permit admit ban repel cancel cut quit split forbid forget".split()
)
"""Verbs whose last letter is doubled before -ing."""


def verb_forms(verb: str) -> tuple[str, ...]:
    """The base, the third person, the past and the -ing form of a verb.

    >>> verb_forms("deny")
    ('deny', 'denies', 'denied', 'denying')
    """
    stem = verb.removesuffix("e")
    participle = f"{stem}{verb[-1] if verb in _DOUBLING else ''}ing"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb, f"{verb[:-1]}ies", _PAST.get(verb, f"{verb[:-1]}ied"), participle
    third = verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")
    return verb, third, _PAST.get(verb, f"{stem}ed"), participle


def _read_sections() -> dict[str, list[Pair]]:
    sections: dict[str, list[Pair]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rows = sections.setdefault(line.strip("[]"), [])
        else:
            first, _, second = line.partition(" / ")
            rows.append((first, second))
    return sections


def _both_ways(pairs: Iterable[Pair]) -> dict[str, tuple[str, ...]]:
    opposites: dict[str, tuple[str, ...]] = {}
    for first, second in pairs:
        for ours, theirs in ((first, second), (second, first)):
            opposites[ours] = (*opposites.get(ours, ()), theirs)
    return opposites


def _inflect(verbs: Iterable[Pair]) -> Iterable[Pair]:
    for first, second in verbs:
        yield from zip(verb_forms(first), verb_forms(second), strict=True)


_CONVERSES = frozenset(
    "mother father son daughter brother sister husband wife uncle aunt king queen prince princess "
    "actor actress teacher student winner loser employer employee buyer seller friend enemy ally "
    "beginning start end birth death arrival departure victory defeat victories defeats over up "
    "down until".split()
)
"""Words that both hold of two sides of one thing, or stand for something else too often."""
_SECTIONS = _read_sections()
OPPOSITES = _both_ways([*_inflect(_SECTIONS["verb_opposites"]), *_SECTIONS["word_opposites"]])
"""Each word with its opposites, in both directions."""
PHRASES = _both_ways(_SECTIONS["phrases"])
"""Phrases with their opposites, in both directions."""
SYNONYMS = dict(_SECTIONS["synonyms"])
"""Words that can mostly stand for each other."""
CONTRARIES = {
    word: tuple(other for other in others if other not in _CONVERSES)
    for word, others in OPPOSITES.items()
    if word not in _CONVERSES
}
"""The opposites that cannot both be said of one thing at one time."""
CONTRARY_STEMS: dict[str, frozenset[str]] = {}
"""The same by stems."""
for _word, _others in CONTRARIES.items():
    _known = CONTRARY_STEMS.get(stem(_word), frozenset())
    CONTRARY_STEMS[stem(_word)] = _known | {stem(other) for other in _others}
WIDER = dict(_SECTIONS["wider"])
"""Words with a wider term, which holds wherever they hold."""
