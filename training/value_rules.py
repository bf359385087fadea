"""Rules that change quantities and dates of a sentence, or tell them in another form.

Each gives the right value and a wrong one in the same form.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, floor
from random import Random

from errata.tools.text.entities import MONTHS, NUMBER_WORDS, find_dates, write_like
from errata.tools.text.quantities import Quantity, find_quantities
from errata.training.pairs import REFUTED, Labels


@dataclass(frozen=True)
class Change:
    """A place in a sentence, and what a true and a false claim have there."""

    family: str
    place: tuple[int, int]
    right: str
    wrong: str
    labels: Labels = REFUTED
    """The acceptable labels of the false claim."""


_PARTS = re.compile(
    r"(?P<sign>US\$|[$€£¥])?(?P<number>\d[\d,]*(?:\.\d+)?)"
    r"(?: (?P<scale>thousand|million|billion|trillion))?(?P<unit>\D*)"
)
"""A quantity in figures."""
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SPELLED = {
    int(value): word
    for word, value in NUMBER_WORDS.items()
    if value.isdigit() and word not in ("once", "twice", "dozen", "hundred")
}
_UNITS: dict[str, dict[str, float]] = {
    "length": {"centimetres": 0.01, "metres": 1, "kilometres": 1e3, "feet": 0.3048, "miles": 1609},
    "mass": {"grams": 1, "kilograms": 1e3, "pounds": 453.59237, "tonnes": 1e6},
    "time": {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "years": 31556952},
    "area": {"hectares": 1e4, "acres": 4046.8564, "square kilometres": 1e6},
}
"""The units that values of a kind are told in, as what they are in the unit of comparison."""
_MONEY = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
_SHARES = {
    50: "half", 25: "a quarter", 75: "three quarters", 20: "a fifth", 33: "about a third",
    10: "a tenth", 66: "about two thirds", 40: "two fifths", 80: "four fifths",
}  # fmt: skip
Form = tuple[str, str, str, str]
"""A family, a text with a "#", and what a true and a false claim have in its place."""
COMMAS_FROM = 10_000
"""Numbers from here on are written with commas."""
ROUNDED_FROM = 100
SHARE_APART = 4
"""How many percent points a wrong share differs at least."""
LARGEST = 1e6
"""Values from here on are not converted to smaller units."""
_DATE_KEY = re.compile(r"(\d{4})(?:-(\d+)-(\d+|\?))?")
SHORTEST_MONTH = 28
_DATES = (
    "{d} {month} {y}",
    "{month} {d}, {y}",
    "{y}-{m:02}-{d:02}",
    "the {d}{ending} of {month} {y}",
    "{month} {d}{ending}, {y}",
)


def change_quantity(text: str, random: Random) -> Iterator[Change]:
    """A quantity as it is or in another form: rounded, bounded, spelled, in another unit."""
    found = [q for q in find_quantities(text) if q.low == q.high > 0 and not q.rate]
    for quantity in random.sample(found, min(1, len(found))):
        forms = (*_number_forms(quantity, random), *_unit_forms(quantity, random))
        for family, form, right, wrong in forms:
            told = [form.replace("#", words) for words in (right, wrong)]
            yield Change(family, (quantity.start, quantity.end), told[0], told[1])


def _number_forms(quantity: Quantity, random: Random) -> Iterator[Form]:
    """A number in figures or in a word, rounded, or bounded."""
    text, value = quantity.text, round(quantity.low / quantity.factor, 6)
    wrong, parts = draw_wrong(value, random), _PARTS.fullmatch(quantity.text)
    if quantity.kind == "count" and value in _SPELLED:
        other = draw_wrong(value, random)
        yield "number", "#", _SPELLED[int(value)], _SPELLED.get(int(other), write_number(other))
        yield "number", "#", f"{value:g}", f"{other:g}"
    if not parts:
        return
    sign, digits, scale, unit = parts.groups(default="")
    yield "number", text.replace(digits, "#"), digits, write_number(wrong / _SCALES.get(scale, 1))
    if quantity.kind == "share":
        other = random.choice([share for share in _SHARES if abs(share - value) > SHARE_APART])
        yield "number", "#", _SHARES.get(int(value), f"{digits} percent"), _SHARES[other]
    if quantity.bound == "exact" and value >= ROUNDED_FROM and not scale:
        size = 10 ** (len(str(int(value))) - 2)
        low, high = (ceil(value / size) - 1) * size, (floor(value / size) + 1) * size
        near, link = round(value / size) * size, random.choice(("about", "around", "roughly"))
        yield "number", f"{link} {sign}#{unit}", f"{near:,}", f"{near * 2:,}"
        yield "number", f"over {sign}#{unit}", f"{low:,}", f"{high:,}"
        yield "number", f"under {sign}#{unit}", f"{high:,}", f"{low:,}"


def _unit_forms(quantity: Quantity, random: Random) -> Iterator[Form]:
    """A quantity with another scale, currency or unit."""
    value, parts = quantity.low / quantity.factor, _PARTS.fullmatch(quantity.text)
    if not parts or parts["unit"].startswith("-"):
        return
    sign, digits, scale, unit = parts.groups(default="")
    shown = f"{digits} {scale}" if scale else digits
    if scale:
        larger = random.choice([each for each in _SCALES if each != scale])
        yield "unit", f"{sign}{digits} #{unit}", scale, larger
        yield "unit", f"{sign}#{unit}", f"{value:,.0f}", f"{value * 10:,.0f}"
    elif value >= _SCALES["million"]:
        short = round(value / _SCALES["million"], 1)
        yield "unit", f"about {sign}# million{unit}", f"{short:g}", f"{short * 10:g}"
    if sign:
        currency = random.choice([each for each in _MONEY if each not in sign])
        yield "unit", f"{shown} #", _MONEY[sign[-1]], _MONEY[currency]
        yield "unit", quantity.text.replace(sign, "#"), sign, currency
    for name, factor in _UNITS.get(quantity.kind, {}).items():
        converted = quantity.low / factor
        if 1 <= converted < LARGEST and factor != quantity.factor:
            rounded, times = float(f"{converted:.3g}"), random.choice((0.1, 0.5, 2, 10))
            form = f"# {name}" if rounded == converted else f"about # {name}"
            yield "unit", form, write_number(rounded), write_number(rounded * times)
            yield "unit", "#", quantity.text, f"{shown} {name}"


def draw_wrong(value: float, random: Random) -> float:
    """A number that is clearly another one; whole if the value is."""
    steps = [value * 10, value * 2, value + 1, value + random.randint(2, 9), value * 1.5]
    steps += [value / 10] if value % 10 == 0 else [value * 0.5, abs(value - 1)]
    wrong = random.choice(steps)
    wrong = wrong if value != round(value) else round(wrong)
    return wrong if wrong not in (value, 0) else value + 1


def write_number(value: float) -> str:
    """A number with commas and at most two decimals."""
    return f"{round(value, 2):,.10g}" if value >= COMMAS_FROM else f"{round(value, 2):.10g}"


def change_date(text: str, random: Random) -> Iterator[Change]:
    """A date or year in its own form, in another one, or less exact."""
    dates = [(e, key) for e in find_dates(text) if (key := _DATE_KEY.fullmatch(e.key))]
    for date, key in random.sample(dates, min(1, len(dates))):
        year, month, day = (int(part) if part.isdigit() else 0 for part in key.groups("?"))
        other = year + random.choice((-30, -11, -10, -5, -2, -1, 1, 2, 5, 10, 11, 30))
        own, before = (date.start, date.end), text[: date.start]
        if not month:
            yield Change("date", own, date.text, str(other))
            if before.endswith(" in "):
                decade, century = year // 10 * 10, year // 100
                wrong = decade + random.choice((-20, -10, 10))
                yield Change("date", own, f"the {decade}s", f"the {wrong}s")
                yield Change(
                    "date", own, f"the {century + 1}th century", f"the {century}th century"
                )
        elif not day:
            yield Change("date", own, date.text, f"{MONTHS[month % len(MONTHS)]} {year}")
        else:
            early = min(day, SHORTEST_MONTH)
            false = random.choice(
                (
                    (year, month, day % SHORTEST_MONTH + 1),
                    (year, month % len(MONTHS) + 1, early),
                    (other, month, early),
                )
            )
            like = write_like(replace(date, key="-".join(map(str, false))), date)
            yield Change("date", own, date.text, like)
            for form in _DATES:
                yield Change("date", own, _write(form, year, month, day), _write(form, *false))
            if before.endswith(" on "):
                place = (date.start - len("on "), date.end)
                month_told, next_month = (MONTHS[n % len(MONTHS)] for n in (month - 1, month))
                yield Change("date", place, f"in {month_told} {year}", f"in {next_month} {year}")


def _write(form: str, year: int, month: int, day: int) -> str:
    """A date in one of the forms of _DATES."""
    ending = "th" if day // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return form.format(y=year, m=month, d=day, month=MONTHS[month - 1], ending=ending)
