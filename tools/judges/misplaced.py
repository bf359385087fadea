"""A value of a claim that belongs to something else in a strip's sentence.

"27 bones in each foot" by "27 in each hand and 26 in each foot"; not "26 bones in each foot".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from errata.core.edits import Spans
from errata.tools.judges.pairs import Difference, Pair
from errata.tools.judges.values import Value, find_date_values, find_values
from errata.tools.text.entities import NAME, Entity
from errata.tools.text.words import split_words

_JOINT = re.compile(r",? (?:and|but|while|whereas|then) |[;,](?= )")
_CONJUNCTION = re.compile(r",? (?:and|but|while|whereas) ")
_PLACE = re.compile(rf"\b(?:in|at|to|for|with|by|from) (?:the )?(?P<name>{NAME.pattern})")
_SCOPES = frozenset("all some most each every no none half many few other another".split())
"""Words that are no content words, but tell one thing from another."""


@dataclass(frozen=True)
class _Cell:
    """A stretch of a sentence with one value, and the words on both sides of it."""

    value: Value
    sides: tuple[frozenset[str], frozenset[str]]


def find_misplaced(pair: Pair) -> Iterator[Difference]:
    """A value of the claim that belongs to another thing in the strip's sentence."""
    for find, joint in ((find_date_values, _JOINT), (_counts, _JOINT), (_places, _CONJUNCTION)):
        claimed, ours = find(pair.claim.text), _stems(pair.claim.text)
        if len(claimed) != 1:
            continue
        cells = list(_cells(pair.strip.text, find(pair.strip.text), joint))
        values = ((cell, cell.value) for cell in cells)
        holding = [
            c for c, v in values if v.repeats(claimed[0]) or v.bears_out(claimed[0]) is not False
        ]
        others = [cell for cell in cells if cell not in holding] if len(holding) == 1 else []
        meant = [o for o in others if _belongs(ours, o, holding[0], is_first=o is cells[0])]
        if len(meant) == 1:
            stated = meant[0].value.text
            yield pair.difference("place", claimed[0].text, stated, claimed[0].stems)


def is_in_place(pair: Pair) -> bool:
    """Whether a strip of several counts has all of a claim, and its count with what belongs to it.

    "Adults take 10 ml" by "Adults take 10 ml, children 5 ml", and not "Adults take 5 ml".
    """
    claimed, ours = _counts(pair.claim.text), _stems(pair.claim.text)
    if len(claimed) != 1 or not ours <= _stems(pair.strip.text) or not pair.deny_alike:
        return False
    cells = list(_cells(pair.strip.text, _counts(pair.strip.text), _JOINT))
    are_ours = [frozenset[str]().union(*cell.sides) <= ours for cell in cells]
    values = (cell.value for cell in cells)
    holding = [value.repeats(claimed[0]) or bool(value.bears_out(claimed[0])) for value in values]
    return len(cells) > 1 and holding.count(True) == 1 and are_ours == holding


def _belongs(ours: frozenset[str], other: _Cell, holding: _Cell, *, is_first: bool) -> bool:
    """Whether a claim speaks of what stands beside another value than its own.

    On one side of the values the other cell has words of the claim that the claim's lacks, and the
    claim's has words that neither has. Later cells may leave out what the first one says.
    """
    for theirs, held in zip(other.sides, holding.sides, strict=True):
        told, foreign = ours & theirs - held, held - ours - theirs
        if told and foreign:
            is_name = holding.value.kind == "name"
            return not ((is_first and ours & (held - theirs)) or (is_name and ours & held))
    return False


def _cells(text: str, values: Sequence[Value], joint: re.Pattern[str]) -> Iterator[_Cell]:
    """The stretches between joints that have exactly one value."""
    taken = Spans(values, lambda value: (value.start, value.end))
    joints = [m.span() for m in joint.finditer(text) if not taken.touching(m.start(), m.end())]
    cuts = [(0, 0), *joints, (len(text), len(text))]
    for (_, start), (end, _) in pairwise(cuts):
        own = [value for value in taken.touching(start, end) if start <= value.start]
        if len(own) == 1:
            sides = _stems(text[start : own[0].start]), _stems(text[own[0].end : end])
            yield _Cell(own[0], sides)


def _stems(text: str) -> frozenset[str]:
    words = split_words(text)
    return frozenset(w.stem for w in words if w.is_content or w.text.lower() in _SCOPES)


def _counts(text: str) -> list[Value]:
    # How often is part of a rate.
    return [v for v in find_values(text) if v.quantity and v.quantity.counted != "time"]


def _places(text: str) -> list[Value]:
    """The names behind a preposition: where, for whom, with whom."""
    names = ((*m.span("name"), m["name"]) for m in _PLACE.finditer(text))
    return [Value("name", *name, entity=Entity("name", *name, name[2])) for name in names]
