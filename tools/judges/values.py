"""Quantities, dates, times of the day and positions in a text, and which support others.

12 km are supported by 12,000 m, 1931 by 3 May 1931; 3 May 1931 is not by 1931.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import inf, isclose
from typing import Literal

from errata.core.edits import Spans
from errata.core.words import places_of
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.entities import TIME, Entity, agree, find_entities, readings, write_like
from errata.tools.text.identifiers import find_identifiers, has_identifier
from errata.tools.text.quantities import Quantity, find_quantities, with_hedge
from errata.tools.text.words import replace_span, split_stems, split_words

MOST = 100
"""How many values of a claim are compared."""
AFTER = 40
"""How many characters after a position the word that it counts is looked for in."""
NOON, HOUR, HALF_DAY = 12, 60, 720
THOUSAND = 1000
_BY = re.compile(r"\bby (?:about |around |nearly |over |some )?$")
_DIGITS = re.compile(r"\d[\d,.]*")
_APART = re.compile(r"[,;.\d]|\b(?:and|in|of|for|with|from|by|to)\b")
"""What parts a counted thing from what is said of it."""
_NEAR, _CLOSE, _ROUNDED, _CONVERTED = 0.1, 0.03, 0.02, 0.02
"""How far, as a share, a hedged number may be off at most and at least, a rounded and a converted
one."""


@dataclass(frozen=True)
class Value:
    """A value in a text, with what it is compared by."""

    kind: Literal["quantity", "date", "time", "ordinal", "name"]
    start: int
    end: int
    text: str
    quantity: Quantity | None = None
    entity: Entity | None = None
    """The date, position or name."""
    minutes: int = 0
    """Of a time, after midnight."""
    is_open: bool = False
    """Whether a time may be before noon or after it."""
    key: str = ""
    """Of an identifier, the same in all its forms."""
    of: str = ""
    """The stem of the word after a position."""
    is_change: bool = False
    """Whether something rose or fell by so much."""

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(word.stem for word in split_words(self.text))

    @property
    def is_bare(self) -> bool:
        """Whether it is a number of which nothing says what it counts."""
        ours = self.quantity
        return bool(ours and not ours.counted and ours.kind == "count")

    def is_like(self, other: "Value") -> bool:
        """Whether another can stand in its place: the same is measured, dated or counted."""
        ours, theirs = self.quantity, other.quantity
        if ours and theirs:
            same = (ours.kind, ours.counted) == (theirs.kind, theirs.counted)
            return same and not self.is_bare and self.is_change == other.is_change
        return (self.kind, self.of) == (other.kind, other.of)

    def supports(self, claimed: "Value") -> bool | None:
        """Whether it supports a claimed value; None where it leaves that open, or cannot tell."""
        if claimed.quantity and self.quantity:
            one_kind = claimed.quantity.kind == self.quantity.kind
            return agree_in_size(claimed.quantity, self.quantity) if one_kind else None
        if claimed.kind != self.kind:
            return False
        if self.key:
            return self.key == claimed.key or None
        if claimed.entity and self.entity:
            is_same = claimed.entity.key == self.entity.key
            return _is_within(claimed.entity, self.entity) if self.kind == "date" else is_same
        off = abs(claimed.minutes - self.minutes)
        return off == 0 or (off == HALF_DAY and (self.is_open or claimed.is_open))

    def repeats(self, claimed: "Value") -> bool:
        """Whether it is written like a claimed one, or is its number, the unit left out or not."""
        ours, theirs = claimed.quantity, self.quantity
        if not (ours and theirs):
            return False
        one_number = ours.low == theirs.low and (self.is_bare or ours.kind == theirs.kind)
        is_same = one_number or self.text.casefold() == claimed.text.casefold()
        return is_same and not self.is_apart(claimed)

    def is_apart(self, claimed: "Value") -> bool:
        """Whether the same number is another limit or rate: at most 5, 20 mg once a day."""
        ours, theirs = claimed.quantity, self.quantity
        if not (ours and theirs):
            return False
        is_limit = {ours.bound, theirs.bound} == {"over", "under"}
        are_rates = bool(ours.rate and theirs.rate)
        return is_limit or (are_rates and agree_in_size(ours, theirs) is False)


def _is_within(claimed: Entity, stated: Entity) -> bool | None:
    """Whether a date says all that a claimed one does; None where it says less."""
    ours, theirs = readings(claimed), readings(stated)
    said = all(a != "?" or b == "?" for a, b in zip(theirs[0], ours[0], strict=False))
    if agree(claimed, stated) and said:
        return True
    return None if agree(stated, claimed) or agree(claimed, stated) else False


def agree_in_size(claimed: Quantity, stated: Quantity) -> bool | None:
    """Whether a stated quantity, in any reading, supports a claimed one; None if that is open."""
    ways = ([q, *(replace(q, low=v, high=v) for v in q.others)] for q in (claimed, stated))
    found = [_compare(*pair) for pair in product(*ways)]
    return True if True in found else found[0] if len(found) == 1 else None


def _compare(claimed: Quantity, stated: Quantity) -> bool | None:
    """Whether one reading of a quantity supports one of another."""
    slack = max(_rounding(claimed, stated), _rounding(stated, claimed))
    if claimed.bound == stated.bound == "about":
        slack = max(0.0, _slack(stated) - _slack(claimed))
    if claimed.factor != stated.factor:
        slack = max(slack, _CONVERTED * abs(claimed.high))
    is_limit = stated.bound in ("over", "under")
    low, high = _range_of(claimed)
    least, most = _range_of(stated) if is_limit else (stated.low, stated.high)
    if least > high + slack or most < low - slack:
        return False
    is_same = claimed.bound == stated.bound and abs(claimed.low - stated.low) <= slack
    ours, theirs = (_DIGITS.findall(quantity.text)[:1] for quantity in (claimed, stated))
    if is_limit and claimed.bound == stated.bound and ours == theirs != []:
        return is_same  # 13.8 million, 13.8 billion
    return True if is_same or not is_limit else None


def _range_of(claimed: Quantity) -> tuple[float, float]:
    """The values for which a claimed quantity holds."""
    off = _slack(claimed)
    return {
        "exact": (claimed.low, claimed.high),
        "about": (claimed.low - off, claimed.high + off),
        "nearly": (claimed.low - off, claimed.high),
        "over": (claimed.low, inf),
        "under": (-inf, claimed.high),
    }[claimed.bound]


def _rounding(rounded: Quantity, exact: Quantity) -> float:
    """How far off a quantity may be that is given in rounder numbers than another."""
    if rounded.bound in ("over", "under") or rounded.step <= exact.step:
        return _slack(rounded) if rounded.bound == "about" else 1e-9 * abs(rounded.high)
    return min(rounded.step / 2, _ROUNDED * abs(exact.high))


def _slack(hedged: Quantity) -> float:
    """How far off a hedged quantity may be: as its last given place, if it has one."""
    most, least = _NEAR * abs(hedged.high), _CLOSE * abs(hedged.high)
    return max(least, min(most, hedged.step)) if hedged.step else most


def write_as(claimed: Value, stated: Value) -> str:
    """A stated value in the form of a claimed one; empty where it says less, or another rate.

    >>> [ours, other] = find_values("In 1892. In May 1911.")
    >>> write_as(ours, other), write_as(other, ours)
    ('1911', '')
    """
    if claimed.entity and stated.entity:
        is_less = claimed.kind == "date" and _precision(claimed.entity) > _precision(stated.entity)
        return "" if is_less else write_like(stated.entity, claimed.entity)
    ours, theirs = claimed.quantity, stated.quantity
    if ours and theirs and (ours.bound != "exact" or ours.rate != theirs.rate):
        return ""
    return stated.text


def _precision(date: Entity) -> int:
    """How many of year, month and day it says; a decade says none of them."""
    if date.text.endswith("s"):
        return 0
    return sum(part != "?" for part in date.key.split("-"))


@lru_cache(maxsize=4096)
def find_values(text: str) -> tuple[Value, ...]:
    """The values of a text, of each kind from left to right.

    >>> [(v.kind, v.text) for v in find_values("The 3rd race began at 7:30 on 3 May; 40 km off.")]
    [('quantity', '40 km'), ('date', '3 May'), ('time', '7:30'), ('ordinal', '3rd')]
    """
    values = [
        Value("quantity", q.start, q.end, q.text, q, is_change=bool(_BY.search(text[: q.start])))
        for q in find_quantities(text)
    ]
    entities = find_entities(text)
    dates = (e for e in entities if e.kind in ("date", "year"))
    places = (e for e in entities if e.kind == "number" and e.key.endswith("th"))
    values += [Value("date", e.start, e.end, e.text, entity=e) for e in dates]
    values += [
        Value("time", *m.span(), m[0], minutes=_minutes(m), is_open=_is_open(m))
        for m in TIME.finditer(text)
    ]
    for place in places:
        of = "".join(split_stems(text[place.end : place.end + AFTER])[:1])
        values.append(Value("ordinal", place.start, place.end, place.text, entity=place, of=of))
    names = [Value("name", i.start, i.end, i.text, key=i.key) for i in find_identifiers(text)]
    taken = Spans(names, lambda name: (name.start, name.end))
    return (*(v for v in values if not taken.touching(v.start, v.end)), *names)


def _is_open(time: re.Match[str]) -> bool:
    hour = time["hour24"] or "0"
    return hour[0] != "0" and int(hour) <= NOON


def _minutes(time: re.Match[str]) -> int:
    if time["word"]:
        return 0 if time["word"].lower() == "midnight" else HALF_DAY
    if time["hour24"]:
        return int(time["hour24"]) % (2 * NOON) * HOUR + int(time["minute24"])
    hour = int(time["hour"]) % NOON + NOON * (time["half"].lower() == "p")
    return hour * HOUR + int(time["minute"] or 0)


def has_value(claimed: Value, stated: Iterable[Value]) -> bool:
    """Whether some values support a claimed one; of a change also two that differ by so much."""
    values, ours = list(stated), claimed.quantity
    if any(value.supports(claimed) or value.repeats(claimed) for value in values):
        return True
    found = [value.quantity for value in values if value.quantity]
    changes = (abs(a.low - b.low) for a, b in product(found, found) if a.kind == b.kind)
    return ours is not None and claimed.is_change and any(isclose(c, ours.low) for c in changes)


def is_stated(claimed: Value, text: str) -> bool:
    """Whether a text has a value as a whole, in these words or others: 48 500 is not 500."""
    stated = find_values(text)
    if claimed.key:
        return has_identifier(claimed.key, text)
    if has_value(claimed, stated):
        return True
    inside = Spans((v for v in stated if v.kind != "date"), lambda v: (v.start, v.end))
    return any(
        all(
            v.start == place and v.text.startswith(claimed.text) and not v.is_apart(claimed)
            for v in inside.touching(place, place + 1)
        )
        for place in places_of(claimed.text, text)
    )


def counts_other(claimed: Value, claim: Reading, text: str) -> bool:
    """Whether a text has a claim's number, but of another thing than the one that it names, too."""
    thing = claimed.quantity.counted if claimed.quantity else ""
    if thing not in split_stems(text):
        return False
    ours = {value.quantity.counted for value in find_values(claim.text) if value.quantity}
    bearing = [v for v in find_values(text) if v.quantity and v.supports(claimed)]
    of_it = (thing in split_stems(_APART.split(text[v.end :])[0]) for v in bearing)
    others = (v.quantity.counted if v.quantity else "" for v in bearing)
    told = (other and (other in ours or other not in claim.bag) for other in others)
    return bool(bearing) and all(told) and not any(of_it)


def _rewrite(text: str, claimed: Value, stated: Value) -> tuple[int, int, str]:
    """Where a value stands in a text with its hedge and rate, and how another one writes it."""
    ours, theirs = claimed.quantity, stated.quantity
    if not (ours and theirs):
        return claimed.start, claimed.end, stated.text
    start = with_hedge(text, ours)
    if ours.rate == theirs.rate:
        return start, claimed.end, stated.text
    end = text.index(ours.rate, claimed.end) + len(ours.rate)
    return start, end, f"{stated.text} {theirs.rate}"


def as_stated(claim: Reading, evidence: Evidence) -> Reading:
    """The claim with every quantity, date and time that a strip supports written as in that strip.

    The cross-encoder compares words: it does not know that 5,400 metres are 5.4 kilometres. Years,
    positions and bare numbers stay as they are.

    >>> from errata.core.records import Document
    >>> from errata.tools.text.sentences import split_strips
    >>> evidence = Evidence(split_strips(Document(text="The tunnel is 5.4 kilometres long.")))
    >>> as_stated(Reading("The tunnel is more than 5,000 metres long."), evidence).text
    'The tunnel is 5.4 kilometres long.'
    """
    values = [value for strip in evidence.best(claim) for value in find_values(strip.text)]
    found = list[tuple[int, int, str]]()
    for claimed in find_values(claim.text)[:MOST]:
        is_year = claimed.entity is not None and claimed.entity.kind == "year"
        if not (is_year or claimed.kind == "ordinal" or claimed.is_bare):
            stated = next((v for v in values if _is_same(v, claimed)), None)
            if stated and stated.text.lower() != claimed.text.lower():
                found.append(_rewrite(claim.text, claimed, stated))
    text, last = claim.text, len(claim.text)
    for start, end, written in sorted(found, reverse=True):
        if end <= last:
            new = written.removesuffix(".") if text[end : end + 1] == "." else written
            text, last = replace_span(text, start, end, new), start
    return Reading(text, claim.topic, claim.question_entity) if text != claim.text else claim


def _is_same(stated: Value, claimed: Value) -> bool:
    """Whether a value can be written in place of a claimed one; a large number in any case."""
    number = claimed.quantity.low if claimed.quantity else 0
    is_alike = stated.is_like(claimed) or (number >= THOUSAND and stated.repeats(claimed))
    return is_alike and bool(stated.supports(claimed))
