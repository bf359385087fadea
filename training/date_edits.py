"""Rules that change years, dates and stretches of years, or only rewrite them."""

import re
from collections.abc import Iterator
from random import Random

from errata.tools.text.entities import DATE, MONTHS, YEAR
from errata.tools.text.words import replace_span
from errata.training.edits import Edit, Source, replace_match
from errata.training.number_edits import is_dated, ordinal_ending

SHORTEST_MONTH, MONTHS_A_YEAR = 28, 12
_SPAN = re.compile(r"\bfrom (?P<a>1\d{3}|20\d\d) (?:to|until|till) (?P<b>1\d{3}|20\d\d)\b")


def change_year(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with another year, or with the decade or century of its own."""
    matches = [m for m in YEAR.finditer(source.text) if m.group().isdigit()]
    for match in random.sample(matches, min(1, len(matches))):
        year = int(match.group())
        wrong = year + random.choice((-30, -11, -10, -5, -2, -1, 1, 2, 5, 10, 11, 30))
        yield Edit("year", replace_match(match, str(wrong)), "contradicts", mutual=True)
        if not source.text[: match.start()].endswith(" in ") or is_dated(source.text, match):
            continue
        yield Edit("decade", replace_match(match, f"the {year // 10 * 10}s"), "follows")
        yield Edit("decade", replace_match(match, f"the {wrong // 10 * 10 + 20}s"), "contradicts")
        yield Edit("decade", replace_match(match, f"the {year // 100 + 1}th century"), "follows")
        yield Edit("decade", replace_match(match, f"the {year // 100}th century"), "contradicts")


def change_span(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a stretch of years as a number of years."""
    for match in _SPAN.finditer(source.text):
        years = int(match["b"]) - int(match["a"])
        if years > 1:
            wrong = years + random.choice((-1, 2, 3, 5, 10))
            yield Edit("duration", replace_match(match, f"for {years} years"), "follows")
            yield Edit("duration", replace_match(match, f"for {wrong} years"), "contradicts")


def change_date(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a full date wrong, in another form, or less exact."""
    for match in list(DATE.finditer(source.text))[:1]:
        day, year = match["d1"] or match["d2"], match["y1"] or match["y2"]
        month = match["m1"] or match["m2"]
        if not (day and year and month):
            continue
        date = (int(re.sub(r"\D", "", day)), _month_number(month), int(year))
        others = [other for other in _wrong_dates(date, random) if other != date]
        for shape in random.sample(_SHAPES, 3):
            yield Edit("date", _put_date(match, shape, date), "follows")
            wrong = random.choice(others)
            yield Edit("date", _put_date(match, shape, wrong), "contradicts")
        coarse = f"in {MONTHS[date[1] - 1]} {year}"
        if source.text[: match.start()].endswith(" on "):
            start = match.start() - 3
            yield Edit("date", replace_span(source.text, start, match.end(), coarse), "follows")
            bad = f"in {MONTHS[date[1] % 12]} {year}"
            yield Edit("date", replace_span(source.text, start, match.end(), bad), "contradicts")


_Date = tuple[int, int, int]
_SHAPES = (
    "{d} {m} {y}",
    "{m} {d}, {y}",
    "{y}-{n:02}-{d:02}",
    "the {d}{e} of {m} {y}",
    "{m} {d}{e}, {y}",
    "{a} {d}, {y}",
)


def _month_number(month: str) -> int:
    return [name[:3] for name in MONTHS].index(month[:3]) + 1


def _wrong_dates(date: _Date, random: Random) -> list[_Date]:
    day, month, year = date
    return [
        (day % 28 + 1, month, year),
        (min(day, SHORTEST_MONTH), month % MONTHS_A_YEAR + 1, year),
        (day, month, year + random.choice((-10, -2, -1, 1, 2, 10))),
        (month, day, year) if day <= MONTHS_A_YEAR else (day - 10, month, year),
    ]


def _put_date(match: re.Match[str], shape: str, date: _Date) -> str:
    day, number, year = date
    month = MONTHS[number - 1]
    short = month if month == "May" else f"{month[:3]}."
    new = shape.format(d=day, m=month, y=year, n=number, e=ordinal_ending(day), a=short)
    return replace_match(match, new)
