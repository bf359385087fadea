"""Ages and spans of time that follow from dates: "eighteen when she became queen"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from errata.bounds import check_time
from errata.tools.judges.cells import split_dated
from errata.tools.judges.contradictions import days_in_brackets
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.pairs import Difference, are_namesakes, first_name, is_like
from errata.tools.text.entities import Entity, find_dates, find_entities, year_of
from errata.tools.text.quantities import Quantity, find_quantities
from errata.tools.text.strips import Strip
from errata.tools.text.words import content_stems

OLDEST = 130
"""The highest number of years that is read as an age."""
ENOUGH = 0.5
"""The share of an event's words that must stand beside a date for a claim to be borne out by it."""
SURE = 0.99
"""The same for a claim to be refuted by it."""
MOST = 50
"""The most strips in which the date of an event is looked for."""
_YEAR = 31_556_952.0
"""The seconds of a year, in which spans are measured."""
_MONTHS = 12
_DAYS = 31
_DAYS_OF_YEAR = 365.2425
_HAIR = 1e-6
"""What a whole number of years may be short of, as a fraction."""
_AGE = re.compile(
    r"\b(?:aged|at the age of|at age|lived to be|lived to the age of|died at(?! the\b| age\b))"
    r"(?: (?:about|only|nearly|almost))? (?P<age>\w+(?:-\w+)?)\b"
    r"|\b(?:was|is|were)(?: (?:about|only|nearly|almost|just))? (?P<when>\w+(?:-\w+)?)"
    r"(?: years old)? when\b"
)
_DEATH = re.compile(r"\b(?:died|dies|death|lived to|passed away|killed)\b")
_BETWEEN = re.compile(r"\b(?:after|before|from|to|until|till|since|between|and|when)\b")
_BIRTH, _END = frozenset(("born", "birth")), frozenset(("die", "death"))


@dataclass(frozen=True)
class Computed:
    """A number of years that a claim states, and what it is by the dates of the evidence."""

    claimed: str
    stated: str
    """The years by the dates; two numbers where the dates leave open which."""
    strip: Strip
    holds: bool

    def difference(self) -> Difference:
        """The difference of a claim that the dates do not bear out."""
        is_clear = " or " not in self.stated and " to " not in self.stated
        new = self.stated if is_clear else ""
        return Difference(
            "years", self.claimed, f"{self.stated} by its dates", self.strip, 1.0, new
        )


class _Dated(NamedTuple):
    """The date of an event, and the strip that has it."""

    when: Entity
    strip: Strip
    share: float
    """The share of the event's words that stand beside the date."""


def compute_years(claim: Reading, evidence: Evidence) -> Computed | None:
    """What the dates of the evidence say of a claim's age or span in years; None if nothing.

    >>> from errata.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> text = "Victoria was born on 24 May 1819. She became queen on 20 June 1837."
    >>> evidence = Evidence(split_strips(Document(text=text)))
    >>> found = compute_years(Reading("Victoria was 28 when she became queen."), evidence)
    >>> found.holds, found.stated
    (False, '18')
    """
    check_time()
    return _age(claim, evidence) or _span(claim, evidence)


def _age(claim: Reading, evidence: Evidence) -> Computed | None:
    """The age at an event, from the days of a birth and of the event."""
    match = _AGE.search(claim.text)
    said = (match["age"] or match["when"]) if match else ""
    ages = [q for q in find_quantities(f"{said} people") if q.low <= OLDEST]
    if not match or not ages:
        return None
    rest = f"{claim.text[: match.start()]} {claim.text[match.end() :]}"
    is_death = _DEATH.search(claim.text) and not match["when"]
    event = _END if is_death else content_stems(rest) - _names(claim)
    born, then = (_find_date(stems, claim, evidence) for stems in (_BIRTH, event))
    if not (born and then) or born.when == then.when:
        return None
    low, high = (int(years + _HAIR) for years in _years(born.when, then.when))
    stated = f"{low}" if low == high else f"{low} or {high}"
    return _sure(claim, Computed(said, stated, then.strip, low <= ages[0].low <= high), born, then)


def _span(claim: Reading, evidence: Evidence) -> Computed | None:
    """The years between two events, each with a date."""
    spans = [q for q in find_quantities(claim.text) if q.kind == "time" and "year" in q.text]
    if len(spans) != 1 or find_dates(claim.text):
        return None
    [span] = spans
    rest = f"{claim.text[: span.start]} . {claim.text[span.end :]}"
    parts = (content_stems(part) - _names(claim) for part in _BETWEEN.split(rest))
    ends = list(_ends([part for part in parts if part], claim, evidence))
    if len(ends) != len(("start", "end")):
        return None
    first, last = ends
    low, high = _years(first.when, last.when)
    is_exact = high - low < 1 / _MONTHS
    least, most = (int(low), int(high)) if is_exact else (round(low), round(high))
    stated = f"{least} years" if least == most else f"{least} to {most} years"
    return _sure(
        claim, Computed(span.text, stated, last.strip, _holds(span, low, high)), first, last
    )


def _sure(claim: Reading, computed: Computed, *dated: _Dated) -> Computed | None:
    """What is computed, if it bears the claim out or the dates are surely those of the events.

    Of somebody who is not named nothing is refuted.
    """
    is_sure = bool(_names(claim)) and all(d.share >= SURE for d in dated)
    return computed if computed.holds or is_sure else None


def _holds(span: Quantity, low: float, high: float) -> bool:
    """Whether a span fits the dates, if whole years may be counted in any way."""
    years, off = span.low / _YEAR, max(1.0, 0.1 * high) if span.bound == "about" else 1.0
    if span.bound == "over":
        return years <= high
    if span.bound == "under":
        return years >= low
    return low - off < years < high + off


def _ends(events: list[frozenset[str]], claim: Reading, evidence: Evidence) -> Iterator[_Dated]:
    """The dates of the first and the last event; of one event the two dates of its strip."""
    if len(events) > 1:
        found = [_find_date(stems, claim, evidence) for stems in events]
        yield from sorted({end for end in found if end}, key=lambda end: _days(end.when))
        return
    stems = frozenset[str]().union(*events)
    strips = evidence.strips_with_any(stems)[:MOST]
    own = [strip for strip in strips if _concerns(claim, evidence, strip)]
    best = max(own, key=lambda strip: _share(stems, strip.bag), default=None)
    dates = find_dates(best.text) if best else ()
    if best and len(dates) == len(("start", "end")):
        yield from (_Dated(date, best, _share(stems, best.bag)) for date in dates)


def _find_date(stems: frozenset[str], claim: Reading, evidence: Evidence) -> _Dated | None:
    """The date that stands beside most of an event's words, if these are enough."""
    is_life = stems in (_BIRTH, _END)
    strips = evidence.strips_with_any(stems, openings=is_life)[:MOST]
    found = [
        _Dated(date, strip, 1.0 if is_life and stems & words else _share(stems, words))
        for strip in strips
        if _concerns(claim, evidence, strip)
        for words, date in _dated(strip, claim, evidence)
    ]
    best = max(found, key=lambda dated: dated.share, default=None)
    return best if best and best.share >= ENOUGH else None


def _dated(
    strip: Strip, claim: Reading, evidence: Evidence
) -> Iterator[tuple[frozenset[str], Entity]]:
    """The dates of a strip, each with the words beside it."""
    for event, stems in (("born", _BIRTH), ("die", _END)):
        yield from ((stems, day) for day in days_in_brackets(event, claim, strip))
    names = _names(claim)
    for cell in split_dated(evidence.named(strip).text):
        others = (e for e in find_entities(cell.text) if e.kind == "name" and " " in e.text)
        is_own = all(e.stems & names for e in others) or not names
        if is_own and isinstance(cell.value.meaning, Entity) and year_of(cell.value.meaning):
            yield cell.before | cell.after, cell.value.meaning


def _share(stems: frozenset[str], words: frozenset[str]) -> float:
    """The share of an event's words that a stretch has."""
    return sum(stem in words or is_like(stem, words) for stem in stems) / (len(stems) or 1)


def _concerns(claim: Reading, evidence: Evidence, strip: Strip) -> bool:
    """Whether a strip may speak of whom the claim names: it names nobody else first."""
    names, read = _names(claim), evidence.named(strip)
    first, ours = first_name(read.entities), first_name(claim.all_entities)
    if first and ours and are_namesakes(first.text, ours.text):
        return False
    return not names or bool(names & read.bag if first else names & claim.topic)


def _names(claim: Reading) -> frozenset[str]:
    names = (e.stems for e in claim.all_entities if e.kind == "name")
    return frozenset[str]().union(*names)


def _years(first: Entity, last: Entity) -> tuple[float, float]:
    """The least and the most years from one date to another, as both may lack day and month."""
    (first_low, first_high), (low, high) = _days(first), _days(last)
    return max(0.0, (low - first_high) / _DAYS_OF_YEAR), (high - first_low) / _DAYS_OF_YEAR


def _days(date: Entity) -> tuple[float, float]:
    """The first and the last day that a date can mean, counted roughly."""
    year, month, day = ([*date.key.split("-"), "?", "?"])[:3]
    months = (int(month),) * 2 if month != "?" else (1, _MONTHS)
    days = (int(day),) * 2 if day != "?" else (1, _DAYS)
    low, high = (
        int(year.strip("?s") or 0) * _DAYS_OF_YEAR + (m - 1) * _DAYS_OF_YEAR / _MONTHS + d
        for m, d in zip(months, days, strict=True)
    )
    return low, high
