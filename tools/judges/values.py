"""Quantities, dates, times of the day and positions in a text, and which bear others out.

12 km are borne out by 12,000 m, 1931 by 3 May 1931; 3 May 1931 is not by 1931.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import isclose
from typing import Literal

from errata.tools.text.agreement import agree, has_same_digits, is_alike
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.entities import agree as agree_dates
from errata.tools.text.quantities import Quantity, find_quantities, find_times, with_hedge
from errata.tools.text.words import split_words

MOST = 100
"""How many values of a claim are compared."""
AFTER = 40
"""How many characters after a position the word that it counts is looked for in."""
_BY = re.compile(r"\bby (?:about |around |nearly |over |some )?$")


@dataclass(frozen=True)
class Value:
    """A value in a text, with what it is compared by."""

    kind: Literal["quantity", "date", "time", "ordinal", "name"]
    start: int
    end: int
    text: str
    meaning: Quantity | Entity | int
    """What is measured, dated or named; of a time the minutes after midnight."""
    of: str = ""
    """The stem of the word after a position."""
    is_change: bool = False
    """Whether something rose or fell by so much."""

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(word.stem for word in split_words(self.text))

    def is_like(self, other: "Value") -> bool:
        """Whether another can stand in its place: the same is measured, dated or counted."""
        if isinstance(self.meaning, Quantity) and isinstance(other.meaning, Quantity):
            return self.is_change == other.is_change and is_alike(self.meaning, other.meaning)
        return (self.kind, self.of) == (other.kind, other.of)

    @property
    def is_bare(self) -> bool:
        """Whether it is a number of which nothing says what it counts."""
        return isinstance(self.meaning, Quantity) and not (
            self.meaning.counted or self.meaning.kind != "count"
        )

    def bears_out(self, claimed: "Value") -> bool | None:
        """Whether it bears a claimed value out; None where it leaves that open, or cannot tell."""
        ours, theirs = claimed.meaning, self.meaning
        if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
            return agree(ours, theirs) if ours.kind == theirs.kind else None
        if claimed.kind == self.kind == "date":
            return _is_within(ours, theirs)
        return claimed.kind == self.kind and _key(ours) == _key(theirs)

    def repeats(self, claimed: "Value") -> bool:
        """Whether it is written like a claimed one, or is its number, the unit left out or not."""
        ours, theirs = claimed.meaning, self.meaning
        if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
            one_number = ours.low == theirs.low and (self.is_bare or ours.kind == theirs.kind)
            return one_number or self.text.casefold() == claimed.text.casefold()
        return False

    def has_same_digits(self, other: "Value") -> bool:
        """Whether it differs from another in nothing but scale or unit."""
        ours, theirs = self.meaning, other.meaning
        if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
            return has_same_digits(ours, theirs)
        return False


def _is_within(claimed: Quantity | Entity | int, stated: Quantity | Entity | int) -> bool | None:
    """Whether a date says all that a claimed one does; None where it says less."""
    if not (isinstance(claimed, Entity) and isinstance(stated, Entity)):
        return None
    parts = zip(stated.key.split("-"), claimed.key.split("-"), strict=False)
    if agree_dates(claimed, stated) and all(a != "?" or b == "?" for a, b in parts):
        return True
    is_less = agree_dates(stated, claimed) or agree_dates(claimed, stated)
    return None if is_less else False


def precision(date: Entity) -> int:
    """How many of year, month and day it says; a decade says none of them."""
    if date.text.endswith("s"):
        return 0
    return sum(part != "?" for part in date.key.split("-"))


def _key(meaning: Quantity | Entity | int) -> object:
    return meaning.key if isinstance(meaning, Entity) else meaning


@lru_cache(maxsize=4096)
def find_values(text: str) -> tuple[Value, ...]:
    """The values of a text, of each kind from left to right.

    >>> [(v.kind, v.text) for v in find_values("The 3rd race began at 7:30 on 3 May, 40 km off.")]
    [('quantity', '40 km'), ('date', '3 May'), ('time', '7:30'), ('ordinal', '3rd')]
    """
    values = [
        Value("quantity", q.start, q.end, q.text, q, is_change=bool(_BY.search(text[: q.start])))
        for q in find_quantities(text)
    ]
    entities = find_entities(text)
    values += [
        Value("date", e.start, e.end, e.text, e) for e in entities if e.kind in ("date", "year")
    ]
    values += [Value("time", t.start, t.end, t.text, t.minutes) for t in find_times(text)]
    places = (e for e in entities if e.kind == "number" and e.key.endswith("th"))
    values += [Value("ordinal", e.start, e.end, e.text, e, of=_next_stem(text, e)) for e in places]
    return tuple(values)


def find_date_values(text: str) -> list[Value]:
    """The dates and years among the values of a text."""
    return [value for value in find_values(text) if value.kind == "date"]


def _next_stem(text: str, entity: Entity) -> str:
    after = split_words(text[entity.end : entity.end + AFTER])
    return after[0].stem if after else ""


def has_value(claimed: Value, stated: Iterable[Value]) -> bool:
    """Whether some values bear a claimed one out; of a change also two that differ by so much."""
    values = list(stated)
    return any(value.bears_out(claimed) or value.repeats(claimed) for value in values) or (
        claimed.is_change and _has_difference(claimed, values)
    )


def _has_difference(claimed: Value, stated: Iterable[Value]) -> bool:
    """Whether two values differ by as much: by 15 from 40 to 55."""
    found = [v.meaning for v in stated if isinstance(v.meaning, Quantity)]
    ours = claimed.meaning
    return isinstance(ours, Quantity) and any(
        a.kind == b.kind and isclose(abs(a.low - b.low), ours.low) for a in found for b in found
    )


def rewrite(text: str, claimed: Value, stated: Value) -> tuple[int, int, str]:
    """Where a value stands in a text with its hedge and rate, and how another one writes it."""
    ours, theirs = claimed.meaning, stated.meaning
    if not (isinstance(ours, Quantity) and isinstance(theirs, Quantity)):
        return claimed.start, claimed.end, stated.text
    start = with_hedge(text, ours)
    if ours.rate == theirs.rate:
        return start, claimed.end, stated.text
    end = text.index(ours.rate, claimed.end) + len(ours.rate)
    return start, end, f"{stated.text} {theirs.rate}"
