"""Values that stand beside one another in a sentence, each with what it belongs to.

"There are 27 bones in each hand and 26 in each foot": 27 does not belong to the foot.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from errata.spans import Spans
from errata.tools.judges.pairs import Difference, Pair
from errata.tools.text.agreement import agree
from errata.tools.text.entities import NAME, Entity, find_dates
from errata.tools.text.entities import agree as same
from errata.tools.text.quantities import Quantity, find_quantities
from errata.tools.text.words import Word, split_words

_JOINT = re.compile(r",? (?:and|but|while|whereas|then) |[;,](?= )")
_CONJUNCTION = re.compile(r",? (?:and|but|while|whereas) ")
_PLACE = re.compile(rf"\b(?:in|at|to|for|with|by|from) (?:the )?(?P<name>{NAME.pattern})")
_SCOPES = frozenset("all some most each every no none half many few other another".split())
"""Words that are no content words, but tell one thing from another."""


@dataclass(frozen=True)
class Value:
    """A date or a quantity in a text."""

    start: int
    end: int
    text: str
    meaning: Entity | Quantity | str

    def agrees(self, claimed: "Value") -> bool:
        """Whether it bears out a claim's value."""
        ours, theirs = claimed.meaning, self.meaning
        if isinstance(ours, Entity) and isinstance(theirs, Entity):
            return same(ours, theirs) or same(theirs, ours)
        if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
            is_same = self.text.casefold() == claimed.text.casefold()
            return is_same or (ours.kind == theirs.kind and agree(ours, theirs) is not False)
        return ours == theirs


@dataclass(frozen=True)
class Cell:
    """A stretch of a sentence with one value, and the words on both sides of it."""

    text: str
    value: Value
    before: frozenset[str]
    after: frozenset[str]

    @property
    def sides(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words before the value, and those after it."""
        return self.before, self.after


def find_misplaced(pair: Pair) -> Iterator[Difference]:
    """A value of the claim that belongs to another thing in the strip's sentence."""
    for find, joint in ((_dates, _JOINT), (_counts, _JOINT), (_places, _CONJUNCTION)):
        ours = find(pair.claim.text)
        if len(ours) == 1:
            cells = list(_cells(pair.strip.text, find(pair.strip.text), joint))
            yield from _misplaced(pair, ours[0], cells)


def _misplaced(pair: Pair, claimed: Value, cells: Sequence[Cell]) -> Iterator[Difference]:
    holding = [cell for cell in cells if cell.value.agrees(claimed)]
    others = [cell for cell in cells if not cell.value.agrees(claimed)]
    ours = _stems(split_words(pair.claim.text))
    if len(holding) != 1:
        return
    meant = [o for o in others if _belongs(ours, o, holding[0], is_first=o is cells[0])]
    if len(meant) == 1:
        own = {word.stem for word in split_words(claimed.text)}
        yield pair.difference("place", claimed.text, meant[0].value.text, own)


def _belongs(ours: frozenset[str], other: Cell, holding: Cell, *, is_first: bool) -> bool:
    """Whether a claim speaks of what stands beside another value than its own.

    On one side of the values the other cell has words of the claim that the claim's lacks, and the
    claim's has words that neither has. Later cells may leave out what the first one says.
    """
    for theirs, held in zip(other.sides, holding.sides, strict=True):
        told, foreign = ours & theirs - held, held - ours - theirs
        if told and foreign:
            is_name = isinstance(holding.value.meaning, str)
            return not ((is_first and ours & (held - theirs)) or (is_name and ours & held))
    return False


def _cells(text: str, values: Sequence[Value], joint: re.Pattern[str] = _JOINT) -> Iterator[Cell]:
    """The stretches between joints that have exactly one value."""
    taken = Spans(values, lambda value: (value.start, value.end))
    joints = [m.span() for m in joint.finditer(text) if not taken.touching(m.start(), m.end())]
    cuts = [(0, 0), *joints, (len(text), len(text))]
    for (_, start), (end, _) in pairwise(cuts):
        own = [value for value in taken.touching(start, end) if start <= value.start]
        if len(own) == 1:
            before = _stems(split_words(text[start : own[0].start]))
            after = _stems(split_words(text[own[0].end : end]))
            yield Cell(text[start:end], own[0], before, after)


def split_dated(text: str) -> Iterator[Cell]:
    """The stretches of a text that have exactly one date."""
    yield from _cells(text, _dates(text))


def _stems(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(w.stem for w in words if w.is_content or w.text.lower() in _SCOPES)


def _dates(text: str) -> list[Value]:
    return [Value(e.start, e.end, e.text, e) for e in find_dates(text)]


def _counts(text: str) -> list[Value]:
    # How often is part of a rate.
    found = (q for q in find_quantities(text) if q.counted != "time")
    return [Value(q.start, q.end, q.text, q) for q in found]


def _places(text: str) -> list[Value]:
    """The names behind a preposition: where, for whom, with whom."""
    return [
        Value(m.start("name"), m.end("name"), m["name"], m["name"]) for m in _PLACE.finditer(text)
    ]
