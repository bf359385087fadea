"""Rules that change numbers, scales, units, dates and money, and rules that only rewrite them."""

import re
from collections.abc import Iterator
from random import Random

from errata.tools.text.entities import DATE, MONTHS, NUMBER_WORDS, YEAR, find_entities
from errata.training.edits import Edit, Source, replace_match, replace_span

_WORDS = {value: word for word, value in NUMBER_WORDS.items() if value.isdigit()}
_ORDINAL_WORDS = [w for w, v in NUMBER_WORDS.items() if v.endswith("th") and v != "0th"]
_PLAIN = re.compile(r"(?<![\w.,$£€/–-])\d{1,3}(?:,\d{3})+(?![\d,.]\d)(?!\w)|(?<![\w.,$£€/–-])\d+(?:\.\d+)?(?![\w,.]?\d|\w|%|[–/-])")
_SCALED = re.compile(r"(?P<value>\d+(?:\.\d+)?) (?P<scale>thousand|million|billion|trillion)\b")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ROUND = re.compile(r"(?<![\w.,$£€])(\d{1,3}(?:,\d{3}){2,}|\d{1,3}00,000)(?![\w,])")
_PERCENT = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)(?: ?%| per ?cent\b)")
_FRACTIONS = {"50": "half", "25": "a quarter", "75": "three quarters", "20": "a fifth", "33": "about a third", "10": "a tenth", "66": "about two thirds", "67": "about two thirds", "100": "all", "40": "two fifths", "80": "four fifths"}  # fmt: skip
_MONEY = re.compile(r"(?P<sign>US\$|\$|£|€)(?P<value>\d+(?:[.,]\d+)*)")
_CURRENCIES = {"$": "dollars", "£": "pounds", "€": "euros"}
_UNIT = re.compile(
    r"(?<![\w.,])(?P<value>\d+(?:\.\d+)?|\b(?:two|three|four|five|six|ten|twelve))[ -](?P<unit>km|kilometres|kilometers|metres"
    r"|meters|m|cm|mm|miles|mile|feet|ft|inches|kg|g|mg|tonnes|tons|pounds|hours|hour|minutes|seconds"
    r"|days|day|weeks|week|months|month|years|year|°C|°F|litres|liters|ml|hectares|acres|MW|kW|GB|MB|TB)\b"
)
_UNIT_RIVALS = {
    "km": ("m", "miles"), "kilometres": ("metres", "miles"), "kilometers": ("meters", "miles"),
    "metres": ("kilometres", "feet", "centimetres"), "meters": ("kilometers", "feet"), "m": ("km", "cm"),
    "cm": ("mm", "m"), "mm": ("cm", "m"), "miles": ("kilometres", "metres"), "mile": ("kilometre",),
    "feet": ("metres", "inches"), "ft": ("m", "in"), "inches": ("feet", "centimetres"), "kg": ("g", "lb"),
    "g": ("kg", "mg"), "mg": ("g",), "tonnes": ("kilograms",), "tons": ("pounds",), "pounds": ("kilograms",),
    "hours": ("minutes", "days"), "hour": ("minute", "day"), "minutes": ("hours", "seconds"),
    "seconds": ("minutes",), "days": ("weeks", "hours", "months"), "day": ("week",), "weeks": ("days", "months"),
    "week": ("day", "month"), "months": ("weeks", "years"), "month": ("week", "year"),
    "years": ("months", "weeks", "decades"), "year": ("month",), "°C": ("°F",), "°F": ("°C",),
    "litres": ("millilitres", "gallons"), "liters": ("gallons",), "ml": ("l",), "hectares": ("acres",),
    "acres": ("hectares",), "MW": ("kW", "GW"), "kW": ("MW",), "GB": ("MB", "TB"), "MB": ("GB",), "TB": ("GB",),
}  # fmt: skip
_CONVERSIONS: dict[str, tuple[tuple[float, str], ...]] = {
    "km": ((1000, "m"), (0.6214, "miles")), "kilometres": ((1000, "metres"), (0.6214, "miles")),
    "kilometers": ((1000, "meters"), (0.6214, "miles")), "metres": ((100, "centimetres"), (3.2808, "feet")),
    "meters": ((100, "centimeters"), (3.2808, "feet")), "m": ((100, "cm"),), "cm": ((10, "mm"),),
    "miles": ((1.6093, "kilometres"),), "feet": ((0.3048, "metres"),), "kg": ((1000, "g"), (2.2046, "pounds")),
    "hours": ((60, "minutes"),), "minutes": ((60, "seconds"),), "days": ((24, "hours"),),
    "weeks": ((7, "days"),), "years": ((12, "months"),), "tonnes": ((1000, "kilograms"),),
    "litres": ((1000, "millilitres"),), "hectares": ((2.471, "acres"),), "MW": ((1000, "kW"),),
}  # fmt: skip
_BOUNDED = re.compile(
    r"\b(?:than|least|most|about|around|over|under|nearly|almost|to|some|roughly|approximately|between"
    r"|and|from|some|by|of|No\.|nearly|estimated) $"
)
"""Words after which a number is not exact."""
_SPAN = re.compile(r"\bfrom (?P<a>1\d{3}|20\d\d) (?:to|until|till) (?P<b>1\d{3}|20\d\d)\b")


def value_of(text: str) -> float:
    """The value of a plain number with or without commas, or of a number word."""
    return float(NUMBER_WORDS.get(text.lower(), text).replace(",", ""))


def write_number(value: float) -> str:
    """A number with commas and at most two decimals."""
    return f"{round(value, 2):,.10g}" if value >= 10000 else f"{round(value, 2):.10g}"


def change_number(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with one number wrong: another size, digit, or decimal place."""
    found = list(_PLAIN.finditer(source.text))
    found = [m for m in found if not YEAR.fullmatch(m.group()) and not _is_dated(source.text, m)]
    for match in random.sample(found, min(2, len(found))):
        wrong = write_number(draw_wrong(value_of(match.group()), random))
        yield Edit("number", replace_match(match, wrong), "contradicts", mutual=True)


def draw_wrong(value: float, random: Random) -> float:
    """A number that is clearly another one."""
    steps = [value * 10, value * 2, value + 1, value + random.randint(2, 9), value * 1.5]
    steps += [value / 10] if value % 10 == 0 and value else [value * 0.5, abs(value - 1)]
    wrong = random.choice(steps)
    return wrong + 1 if wrong == value else round(wrong) if value == round(value) else wrong


def _is_dated(text: str, match: re.Match[str]) -> bool:
    return any(d.start() <= match.start() < d.end() for d in DATE.finditer(text))


def round_number(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a number in other words: rounded, bounded, spelled; or wrongly so."""
    for match in _PLAIN.finditer(source.text):
        value = value_of(match.group())
        if YEAR.fullmatch(match.group()) or _is_dated(source.text, match) or value != round(value):
            continue
        if str(int(value)) in _WORDS and value > 1:
            yield Edit("spelling", replace_match(match, _WORDS[str(int(value))]), "follows")
        if value >= 100 and not _BOUNDED.search(source.text[: match.start()]):
            yield from _rounded(match, value, random)


def _rounded(match: re.Match[str], value: float, random: Random) -> Iterator[Edit]:
    size = 10 ** (len(str(int(value))) - 2)
    low, near = int(value // size * size), round(value / size) * size
    high = low + size
    link = random.choice(("about", "around", "roughly", "some"))
    if near != value:
        yield Edit("rounding", replace_match(match, f"{link} {near:,}"), "follows")
    if low != value:
        yield Edit("bound", replace_match(match, f"more than {low:,}"), "follows")
        yield Edit("bound", replace_match(match, f"fewer than {low:,}"), "contradicts")
    yield Edit("bound", replace_match(match, f"nearly {high + size * 3:,}"), "contradicts")
    yield Edit("bound", replace_match(match, f"more than {high:,}"), "contradicts")
    yield Edit("bound", replace_match(match, f"fewer than {high:,}"), "follows")
    yield Edit("bound", replace_match(match, f"at least {high + size:,}"), "contradicts")
    yield Edit("rounding", replace_match(match, f"{link} {near + 3 * size:,}"), "contradicts")


def spell_number(source: Source, _: Random) -> Iterator[Edit]:
    """The sentence with a number word in digits; or another number word."""
    for match in re.finditer(r"\b[a-z]+\b", source.text):
        key = NUMBER_WORDS.get(match.group(), "")
        if key.isdigit() and int(key) > 1:
            yield Edit("spelling", replace_match(match, key), "follows")
            other = _WORDS.get(str(int(key) + 1 + int(key) % 4))
            if other:
                yield Edit("number", replace_match(match, other), "contradicts", mutual=True)


def change_ordinal(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with another ordinal, or the ordinal in figures."""
    for match in list(re.finditer(rf"\b({'|'.join(_ORDINAL_WORDS)})\b", source.text))[:1]:
        place = _ORDINAL_WORDS.index(match.group())
        other = random.choice([w for w in _ORDINAL_WORDS if w != match.group()])
        yield Edit("ordinal", replace_match(match, other), "contradicts", mutual=True)
        ending = ("st", "nd", "rd")[place] if place < 3 else "th"
        yield Edit("ordinal", replace_match(match, f"{place + 1}{ending}"), "follows")


def rescale(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a wrong scale, or with the number written out or shortened."""
    for match in _SCALED.finditer(source.text):
        others = [scale for scale in _SCALES if scale != match["scale"]]
        wrong = f"{match['value']} {random.choice(others)}"
        yield Edit("scale", replace_match(match, wrong), "contradicts", mutual=True)
        value = float(match["value"]) * _SCALES[match["scale"]]
        if value < 10**11:
            yield Edit("scale", replace_match(match, f"{value:,.0f}"), "follows")
            yield Edit("scale", replace_match(match, f"{value * 10:,.0f}"), "contradicts")
    for match in _ROUND.finditer(source.text):
        value = value_of(match.group())
        scale = "million" if value < 10**9 else "billion"
        short = round(value / _SCALES[scale], 1)
        yield Edit("scale", replace_match(match, f"about {short:g} {scale}"), "follows")
        yield Edit("scale", replace_match(match, f"about {short * 10:g} {scale}"), "contradicts")


def change_percent(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a share in other words, or a wrong one."""
    for match in _PERCENT.finditer(source.text):
        right, wrong = _FRACTIONS.get(match[1]), random.choice(sorted(_FRACTIONS))
        yield Edit("share", replace_match(match, f"{match[1]} percent"), "follows")
        if right:
            yield Edit("share", replace_match(match, right), "follows")
        if abs(float(wrong) - float(match[1])) > 4:
            yield Edit("share", replace_match(match, _FRACTIONS[wrong]), "contradicts")
            yield Edit("share", replace_match(match, f"{wrong}%"), "contradicts", mutual=True)


def change_money(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with another currency, or the same one in words."""
    for match in list(_MONEY.finditer(source.text))[:1]:
        others = [sign for sign in _CURRENCIES if sign not in match["sign"]]
        yield Edit("money", replace_match(match, random.choice(others), 1), "contradicts", mutual=True)
        scaled = re.match(r" (?:thousand|million|billion)\b", source.text[match.end() :])
        end = match.end() + (scaled.end() if scaled else 0)
        words = f"{match['value']}{scaled.group() if scaled else ''} "
        right = words + _CURRENCIES[match["sign"][-1]]
        yield Edit("money", replace_span(source.text, match.start(), end, right), "follows")
        wrong = words + _CURRENCIES[random.choice(others)]
        yield Edit("money", replace_span(source.text, match.start(), end, wrong), "contradicts")


def change_unit(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with the wrong unit, or with the value in another one."""
    for match in list(_UNIT.finditer(source.text))[:1]:
        unit, value = match["unit"], value_of(match["value"])
        rival = random.choice(_UNIT_RIVALS.get(unit, ("units",)))
        yield Edit("unit", replace_match(match, rival, 2), "contradicts", mutual=True)
        for factor, other in _CONVERSIONS.get(unit, ()):
            link = "" if factor == int(factor) else "about "
            right, wrong = value * factor, value * factor * random.choice((0.1, 10, 2, 0.5))
            new, bad = (f"{link}{_short(v, exact=not link)} {other}" for v in (right, wrong))
            yield Edit("unit", replace_match(match, new), "follows")
            yield Edit("unit", replace_match(match, bad), "contradicts")


def _short(value: float, *, exact: bool) -> str:
    return write_number(value if exact else float(f"{value:.2g}"))


def change_year(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with another year, or with the decade or century of its own."""
    matches = [m for m in YEAR.finditer(source.text) if m.group().isdigit()]
    for match in random.sample(matches, min(1, len(matches))):
        year = int(match.group())
        wrong = year + random.choice((-30, -11, -10, -5, -2, -1, 1, 2, 5, 10, 11, 30))
        yield Edit("year", replace_match(match, str(wrong)), "contradicts", mutual=True)
        if not source.text[: match.start()].endswith(" in ") or _is_dated(source.text, match):
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
_SHAPES = ("{d} {m} {y}", "{m} {d}, {y}", "{y}-{n:02}-{d:02}", "the {d}{e} of {m} {y}", "{m} {d}{e}, {y}", "{a} {d}, {y}")


def _month_number(month: str) -> int:
    return [name[:3] for name in MONTHS].index(month[:3]) + 1


def _wrong_dates(date: _Date, random: Random) -> list[_Date]:
    day, month, year = date
    return [
        (day % 28 + 1, month, year),
        (day, month % 12 + 1, year) if day < 29 else (day - 3, month, year),
        (day, month, year + random.choice((-10, -2, -1, 1, 2, 10))),
        (month, day, year) if day <= 12 else (day - 10, month, year),
    ]


def _put_date(match: re.Match[str], shape: str, date: _Date) -> str:
    day, number, year = date
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")
    month = MONTHS[number - 1]
    short = month if number == 5 else f"{month[:3]}."
    new = shape.format(d=day, m=month, y=year, n=number, e=ending, a=short)
    return replace_match(match, new)


def neighbour(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a number, year or date of another sentence of its paragraph."""
    others = [e for text in source.others for e in find_entities(text)]
    known = {e.key for e in find_entities(source.text)}
    for kind in ("number", "year", "date"):
        own = [e for e in find_entities(source.text) if e.kind == kind]
        rivals = [e for e in others if e.kind == kind and e.key not in known]
        if own and rivals:
            old, new = random.choice(own), random.choice(rivals)
            if kind != "date" or old.key.count("?") == new.key.count("?"):
                text = replace_span(source.text, old.start, old.end, new.text)
                yield Edit(f"other {kind}", text, "contradicts", mutual=True)
