"""Rules that change numbers, scales, units and money, and rules that only rewrite them."""

import re
from collections.abc import Iterator
from random import Random

from errata.tools.text.entities import DATE, NUMBER_WORDS, YEAR, find_entities
from errata.tools.text.words import replace_span
from errata.training.edits import Edit, Source, replace_match

_WORDS = {value: word for word, value in NUMBER_WORDS.items() if value.isdigit()}
_ORDINAL_WORDS = [w for w, v in NUMBER_WORDS.items() if v.endswith("th") and v != "0th"]
_PLAIN = re.compile(
    r"(?<![\w.,$£€/–-])\d{1,3}(?:,\d{3})+(?![\d,.]\d)(?!\w)|(?<![\w.,$£€/–-])\d+(?:\.\d+)?(?![\w,.]?\d|\w|%|[–/-])"
)
_SCALED = re.compile(r"(?P<value>\d+(?:\.\d+)?) (?P<scale>thousand|million|billion|trillion)\b")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ROUND = re.compile(r"(?<![\w.,$£€])(\d{1,3}(?:,\d{3}){2,}|\d{1,3}00,000)(?![\w,])")
_PERCENT = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)(?: ?%| per ?cent\b)")
_FRACTIONS = dict(
    entry.split(":")
    for entry in (
        "50:half|25:a quarter|75:three quarters|20:a fifth|33:about a third|10:a tenth|100:all"
        "|66:about two thirds|67:about two thirds|40:two fifths|80:four fifths"
    ).split("|")
)
_MONEY = re.compile(r"(?P<sign>US\$|\$|£|€)(?P<value>\d+(?:[.,]\d+)*)")
_CURRENCIES = {"$": "dollars", "£": "pounds", "€": "euros"}
_UNIT = re.compile(
    r"(?<![\w.,])(?P<value>\d+(?:\.\d+)?|\b(?:two|three|four|five|six|ten|twelve))[ -]"
    r"(?P<unit>km|kilometres|kilometers|metres|meters|m|cm|mm|miles|mile|feet|ft|inches|kg|g|mg"
    r"|tonnes|tons|pounds|hours|hour|minutes|seconds|days|day|weeks|week|months|month|years|year"
    r"|°C|°F|litres|liters|ml|hectares|acres|MW|kW|GB|MB|TB)\b"
)
_UNIT_RIVALS = {
    unit: rivals.split("/")
    for unit, _, rivals in (
        entry.partition(":")
        for entry in (
            "km:m/miles kilometres:metres/miles kilometers:meters/miles "
            "metres:kilometres/feet/centimetres meters:kilometers/feet m:km/cm cm:mm/m mm:cm/m "
            "miles:kilometres/metres mile:kilometre feet:metres/inches ft:m/in "
            "inches:feet/centimetres kg:g/lb g:kg/mg mg:g tonnes:kilograms tons:pounds "
            "pounds:kilograms hours:minutes/days hour:minute/day minutes:hours/seconds "
            "seconds:minutes days:weeks/hours/months day:week weeks:days/months week:day/month "
            "months:weeks/years month:week/year years:months/weeks/decades year:month °C:°F °F:°C "
            "litres:millilitres/gallons liters:gallons ml:l hectares:acres acres:hectares "
            "MW:kW/GW kW:MW GB:MB/TB MB:GB TB:GB"
        ).split()
    )
}
_CONVERSIONS = [
    (unit, float(factor), other)
    for unit, factor, other in (
        entry.split()
        for entry in (
            "km 1000 m|km 0.6214 miles|kilometres 1000 metres|kilometres 0.6214 miles|"
            "kilometers 1000 meters|kilometers 0.6214 miles|metres 100 centimetres|"
            "metres 3.2808 feet|meters 100 centimeters|meters 3.2808 feet|m 100 cm|cm 10 mm|"
            "miles 1.6093 kilometres|feet 0.3048 metres|kg 1000 g|kg 2.2046 pounds|"
            "hours 60 minutes|minutes 60 seconds|days 24 hours|weeks 7 days|years 12 months|"
            "tonnes 1000 kilograms|litres 1000 millilitres|hectares 2.471 acres|MW 1000 kW"
        ).split("|")
    )
]
"""A unit, what its values are multiplied by, and the unit that gives."""
_BOUNDED = re.compile(
    r"\b(?:than|least|most|about|around|over|under|nearly|almost|to|some|roughly|approximately|between"
    r"|and|from|some|by|of|No\.|nearly|estimated) $"
)
"""Words after which a number is not exact."""
COMMAS_FROM = 10_000
"""Numbers from here on are written with commas."""
ROUNDED_FROM = 100
SHARE_APART = 4
"""How many percent points a wrong share differs at least."""


def value_of(text: str) -> float:
    """The value of a plain number with or without commas, or of a number word."""
    return float(NUMBER_WORDS.get(text.lower(), text).replace(",", ""))


def ordinal_ending(number: int) -> str:
    """The ending of an ordinal in figures.

    >>> [ordinal_ending(number) for number in (1, 12, 22, 30)]
    ['st', 'th', 'nd', 'th']
    """
    teens = number % 100 // 10 == 1
    return "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def write_number(value: float) -> str:
    """A number with commas and at most two decimals."""
    return f"{round(value, 2):,.10g}" if value >= COMMAS_FROM else f"{round(value, 2):.10g}"


def change_number(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with one number wrong: another size, digit, or decimal place."""
    found = list(_PLAIN.finditer(source.text))
    found = [m for m in found if not YEAR.fullmatch(m.group()) and not is_dated(source.text, m)]
    for match in random.sample(found, min(2, len(found))):
        wrong = write_number(draw_wrong(value_of(match.group()), random))
        yield Edit("number", replace_match(match, wrong), "contradicts", mutual=True)


def draw_wrong(value: float, random: Random) -> float:
    """A number that is clearly another one."""
    steps = [value * 10, value * 2, value + 1, value + random.randint(2, 9), value * 1.5]
    steps += [value / 10] if value % 10 == 0 and value else [value * 0.5, abs(value - 1)]
    wrong = random.choice(steps)
    return wrong + 1 if wrong == value else round(wrong) if value == round(value) else wrong


def is_dated(text: str, match: re.Match[str]) -> bool:
    """Whether a match is a part of a date."""
    return any(d.start() <= match.start() < d.end() for d in DATE.finditer(text))


def round_number(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a number in other words: rounded, bounded, spelled; or wrongly so."""
    for match in _PLAIN.finditer(source.text):
        value = value_of(match.group())
        if YEAR.fullmatch(match.group()) or is_dated(source.text, match) or value != round(value):
            continue
        if str(int(value)) in _WORDS and value > 1:
            yield Edit("spelling", replace_match(match, _WORDS[str(int(value))]), "follows")
        if value >= ROUNDED_FROM and not _BOUNDED.search(source.text[: match.start()]):
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
        figures = f"{place + 1}{ordinal_ending(place + 1)}"
        yield Edit("ordinal", replace_match(match, figures), "follows")


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
        if abs(float(wrong) - float(match[1])) > SHARE_APART:
            yield Edit("share", replace_match(match, _FRACTIONS[wrong]), "contradicts")
            yield Edit("share", replace_match(match, f"{wrong}%"), "contradicts", mutual=True)


def change_money(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with another currency, or the same one in words."""
    for match in list(_MONEY.finditer(source.text))[:1]:
        others = [sign for sign in _CURRENCIES if sign not in match["sign"]]
        yield Edit(
            "money", replace_match(match, random.choice(others), 1), "contradicts", mutual=True
        )
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
        fitting = ((f, other) for own, f, other in _CONVERSIONS if own == unit)
        for factor, other in fitting:
            link = "" if factor == int(factor) else "about "
            right, wrong = value * factor, value * factor * random.choice((0.1, 10, 2, 0.5))
            new, bad = (f"{link}{_short(v, exact=not link)} {other}" for v in (right, wrong))
            yield Edit("unit", replace_match(match, new), "follows")
            yield Edit("unit", replace_match(match, bad), "contradicts")


def _short(value: float, *, exact: bool) -> str:
    return write_number(value if exact else float(f"{value:.2g}"))


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
