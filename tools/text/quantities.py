"""Quantities of a text, with scale, unit, range and hedge."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from math import prod
from typing import Literal

from errata.tools.text.entities import NUMBER_WORDS, TIME, find_entities
from errata.tools.text.identifiers import find_identifiers
from errata.tools.text.marks import LOWERED
from errata.tools.text.words import split_words

Bound = Literal["exact", "about", "over", "under", "nearly"]
_SCALES = (
    {"dozen": 12.0, "hundred": 1e2, "thousand": 1e3, "k": 1e3}
    | {"million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
    | {"lakh": 1e5, "crore": 1e7}
)
_NUMBERS = {word: value for word, value in NUMBER_WORDS.items() if value.isdecimal()}
_COUNTS = {word: float(value) for word, value in _NUMBERS.items() if word not in _SCALES}
_OFTEN = ("once", "twice")
_WORD = "|".join(word for word in _COUNTS if word not in _OFTEN)
_SCALE = "dozen|hundred|thousand|million|billion|trillion|lakhs?|crores?"
_THOUSANDS = r"(?:,|[ \u00a0\u2009\u202f]|['’]|, | , )"  # some texts have spaces around all marks
_DIGITS = (
    rf"\d{{1,3}}(?:{_THOUSANDS}\d{{3}}){{1,9}}(?!\d)(?:\.\d{{1,30}})?"
    r"|\d{1,2}(?:,\d{2}){1,5},\d{3}(?!\d)|\d{1,3}(?:\.\d{3}){2,9}(?!\d)"
    r"|(?<!\d)\d{1,30}(?!\d)(?:\.\d{1,30}|,\d{1,2}(?!\d))?"
)
_SIGNS = str.maketrans("⁺−", "+-")
_TENS = r"10(?:\^[−+-]?\d{1,2}|[⁻⁺]?[⁰¹²³⁴-⁹]{1,2})"
"""A power of ten; "10²" alone may be ten with the mark of a note."""
_NUMBER = (
    rf"\d{{1,30}}(?:\.\d{{1,30}})? ?[×x*·⋅] ?{_TENS}|{_TENS}(?<!10[¹²³])"
    rf"|(?:{_DIGITS})(?:(?:[- ](?:{_SCALE})){{1,2}}\b|(?:k|bn|(?-i:M))\b)?"
    rf"|(?:half a|a|(?:{_WORD})(?:[- ](?:{_WORD})){{0,4}}(?: and a half)?)"
    rf"(?: (?:{_SCALE})(?: (?:and )?(?:{_WORD})(?:[- ](?:{_WORD})){{0,4}})?){{1,6}}\b"
    rf"|\b(?:{_WORD})(?:-(?:{_WORD}))?(?: and a half)?\b"
    rf"|\b(?:{'|'.join(_OFTEN)})(?= (?:a|an|per|each|every) \w)"
)
_MILLIONS = r"(?(money)(?: ?m\b)?)"
_QUANTITY = re.compile(
    r"(?P<money>US\$|[$€£¥₹]|\bRs\b\.?)? ?(?<![\w.,:=/])(?<![A-Za-z]-)"
    r"(?<!\b(?:one|out) (?:in|of) )(?P<sign>[−-](?=\d))?"
    rf"(?P<low>(?:{_NUMBER}){_MILLIONS})(?:(?: ?[–-] ?| to | and (?=[\d$€£]))[$€£]?"
    rf"(?P<high>(?:{_NUMBER}){_MILLIONS}))?(?!\w*[\d:])"
    r"(?!(?<=\b10)[¹²³](?![⁰¹²³⁴-⁹]))",
    re.IGNORECASE,
)
_POWERED = re.compile(
    r"(?:(?P<times>[\d.]+) ?[×x*·⋅] ?)?10(?:\^(?P<up>[−+-]?\d+)|(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]+))"
)
_OPEN_BEFORE = re.compile(
    r"\b(?:in|by|since|until|from|of|rooms?|pages?|nos?\.|numbers?) $", re.IGNORECASE
)  # words before two numbers that may be one with a space, as in "in 950 500 people"
_TWO_UNITS = tuple(
    (
        re.compile(
            rf"(?<![\w.,])(?P<many>\d{{1,4}}){large}(?:,? (?:and )?|-)?(?P<few>\d{{1,2}}(?:\.\d+)?)"
            rf"(?P<half>½)?(?:{small}|{bare})(?!\w)"
        ),
        kind,
        (many, few),
    )
    for kind, large, many, small, few, bare in (
        ("length", r"(?: ?ft\b\.?| feet|[- ]foot|['′’])", 0.3048,
         r" ?(?:in\b(?! \w+s\b)\.?|inch(?:es)?|[\"″”]|['′’]{2})|-inch", 0.0254,
         r"(?=[.,;)]|$| (?:tall|high|long|wide|deep|and)\b)"),
        ("mass", r"(?: st\b\.?|(?<=\d\d)st\b| stones?)", 6350.29318,
         r" ?(?:lbs?\b\.?|pounds?)", 453.59237, r"(?=[.,;)]|$| and\b)"),
        ("mass", r" ?(?:lbs?\b\.?|pounds?)", 453.59237,
         r" ?(?:oz\b\.?|ounces?)", 28.349523, "(?!)"),
    )
)  # fmt: skip
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_HEDGE_WORDS: dict[Bound, str] = {
    "nearly": "nearly|almost|just under|just below|close to|as many as|as much as",
    "over": "over|(?<!no )more than|at least|no (?:fewer|less) than|above|exceeding|upwards of",
    "under": "under|(?<!no )(?:less|fewer) than|at most|no more than|up to|below|within",
    "about": r"about|around|roughly|approximately|some|circa|c\.|an estimated",
}
_HEDGES = {b: re.compile(rf"\b(?:{w})\s*$", re.IGNORECASE) for b, w in _HEDGE_WORDS.items()}
_COMPOUND = ("time", "length", "mass")  # told in two units
_RATE = re.compile(
    r"(?: (?P<times>once|twice|\w+ times))?(?:(?: ?(?:per|a|an|each|every|/) |/)"
    r"(?:(?P<count>\d+(?:\.\d+)?) ?)?(?P<per>\w+)"
    r"| (?P<each>daily|weekly|monthly|yearly|annually)\b)"
)
_EACH = {"daily": "day", "annually": "year"}
_NOTED = re.compile("[⁰¹²³⁴-⁹]*")  # raised after a number that is no power: the mark of a note
_UNIT = re.compile(r"[- ]?(°[CF]|%|per cent\b|(?:US )?[\wµ²³/]+)")
_REACH = 24  # characters before a number in which a hedge may begin, and after it a unit


@dataclass(frozen=True)
class Quantity:
    """A number with what it measures, in the unit that its kind is compared in."""

    start: int
    end: int
    text: str
    low: float
    high: float  # the same as `low` unless it is a range
    kind: str  # a dimension or a currency; `count` where it has no unit
    counted: str  # the stem of the thing counted; empty with a unit
    bound: Bound
    factor: float  # what the unit was multiplied by
    step: float  # the last decimal place that is given, in the same unit
    rate: str = ""  # what it is for each of, such as "a month"; empty if it is no rate
    others: tuple[float, ...] = ()
    """What else the digits may mean, in the same unit: 1.250 is 1250, or 1.25."""


@cache
def _units() -> dict[str, tuple[str, float]]:
    """The kind and factor of each unit's spellings."""
    table = json.loads(files("errata.tools.text").joinpath("units.json").read_text("utf-8"))
    return {
        word: (kind, float(factor))
        for kind, by_factor in table.items()
        for factor, words in by_factor.items()
        for word in words.split()
    }


@lru_cache(maxsize=4096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text from left to right; no dates, years, ordinals or names.

    >>> [(q.low, q.kind, q.bound) for q in find_quantities("It raised about 1.2 million dollars.")]
    [(1200000.0, 'US dollar', 'about')]
    """
    named = (entity for entity in find_entities(text) if entity.kind != "number")
    taken = [(entity.start, entity.end) for entity in (*named, *find_identifiers(text))]
    taken += [match.span() for match in TIME.finditer(text)]
    masked = text
    for start, end in taken:
        masked = masked[:start] + "_" * (end - start) + masked[end:]
    parts = list(_find_two_units(masked, text))
    for part in parts:
        masked = masked[: part.start] + "_" * (part.end - part.start) + masked[part.end :]
    first = len(parts)
    for match in _QUANTITY.finditer(masked):
        # "One" and "a" are a pronoun and an article.
        if _ORDINAL.match(text, match.end()) or match["low"].lower() in ("one", "a"):
            continue
        part = _read(text, match)
        last = parts[-1] if len(parts) > first else part
        if last is not part and part.start <= last.end + len(last.rate):
            continue
        is_finer = last.kind == part.kind in _COMPOUND and part.factor < last.factor
        if is_finer and text[last.end : part.start] in (" ", ", ", " and "):
            # It goes on with the one before, as in "1 hour 30 minutes".
            low, high, step = last.low + part.low, last.high + part.high, part.step
            words = text[last.start : part.end]
            part = replace(parts.pop(), end=part.end, text=words, low=low, high=high, step=step)
        parts.append(part)
    return tuple(sorted(parts, key=lambda part: part.start))


def _find_two_units(masked: str, text: str) -> Iterator[Quantity]:
    """Quantities in two units, such as 6 ft 2 in."""
    for pattern, kind, (large, small) in _TWO_UNITS:
        for match in pattern.finditer(masked):
            start, end = match.span()
            few = float(match["few"]) + 0.5 * bool(match["half"])
            value, bound = int(match["many"]) * large + few * small, _bound(text, start)
            yield Quantity(start, end, match[0], value, value, kind, "", bound, small, small)


def _read(text: str, match: re.Match[str]) -> Quantity:
    end, kind, factor, counted = _find_unit(text, match)
    rate = _RATE.match(text, end)
    if rate:
        per = (rate["per"] or _EACH.get(rate["each"]) or rate["each"].removesuffix("ly")).lower()
        per, share = _units().get(per, (per, 1.0))
        times = _count_times(rate["times"] or "once") / (float(rate["count"] or 1) or 1.0)
        kind, factor = f"{kind} per {per}", factor / share * times
    if kind == "length per time":
        kind, factor = "speed", factor * 3.6  # kilometres an hour
    low, step = _parse(match["low"])
    high = _parse(match["high"])[0] if match["high"] else low
    if match["high"] and _scale(match["low"]) == 1:
        low *= _scale(match["high"])
    factor = -factor if match["sign"] else factor
    if kind == "fahrenheit":
        low, high, step = ((value - 32) / 1.8 for value in (low, high, step + 32))
        kind = "temperature"
    low, high = sorted((low * factor, high * factor))
    before = _before(text, match.start("low"))
    others = () if match["high"] else _other_readings(match["low"], before)
    others, size = tuple(value * factor for value in others), abs(factor)
    start, bound = match.end() - len(match[0].lstrip()), _bound(text, match.start())
    said, each = text[start:end], rate[0].strip() if rate else ""
    return Quantity(
        start, end, said, low, high, kind, counted, bound, size, step * size, each, others
    )


def _other_readings(number: str, before: str) -> tuple[float, ...]:
    """What else digits may be: thousands with a full stop, two numbers side by side."""
    if re.fullmatch(r"\d{1,3}\.\d{3}", number):
        return (float(number.replace(".", "")),)
    if re.fullmatch(r"\d+,\d{1,2}", number):
        return tuple(map(float, number.split(",")))
    apart = re.fullmatch(r"\d{1,3}(?: \d{3})+", number) and _OPEN_BEFORE.search(before)
    return tuple(map(float, number.split())) if apart else ()


def _bound(text: str, start: int) -> Bound:
    before = _before(text, start)
    return next((bound for bound, hedge in _HEDGES.items() if hedge.search(before)), "exact")


def _count_times(words: str) -> float:
    """How often "twice" or "three times" is; 1 for words that say nothing."""
    number = words.lower().removesuffix(" times")
    return float(_NUMBERS.get(number, number if number.isdecimal() else 1))


def _find_unit(text: str, match: re.Match[str]) -> tuple[int, str, float, str]:
    """Where the quantity ends, its kind, the unit's factor, and the stem of what is counted."""
    if match["money"]:
        kind, factor = _units()[match["money"].lower().rstrip(".")]
        return match.end(), kind, factor, ""
    noted = _NOTED.match(text, match.end())
    start = noted.end() if noted else match.end()
    after = _UNIT.match(text, start, start + _REACH)
    if not after:
        return match.end(), "count", 1.0, ""
    word = after[1].lower().replace("per cent", "percent").removeprefix("us ")
    if word in ("pound", "pounds") and "weigh" in _before(text, match.start()):
        word = "lb"
    if word in _units() and (len(word) > 1 or text[match.end() - 1].isdigit()):
        return after.end(), *_units()[word], ""
    words = split_words(text[start : start + 2 * _REACH])
    counted = next((w.stem for w in words[:2] if w.is_content), "")
    counted = "time" if match["low"].lower() in _OFTEN else counted
    return match.end(), "count", 1.0, counted


def with_hedge(text: str, quantity: Quantity) -> int:
    """Where a quantity of a text starts, with the words that hedge it."""
    before = _before(text, quantity.start)
    hedges = (pattern.search(before) for pattern in _HEDGES.values())
    starts = [quantity.start - len(before) + hedge.start() for hedge in hedges if hedge]
    return min(starts, default=quantity.start)


def _before(text: str, start: int) -> str:
    """Where the hedge of a number is looked for."""
    return text[max(0, start - _REACH) : start]


def _scale(number: str) -> float:
    last = re.search(rf"(?:[ -]?(?:{_SCALE}|k|bn|m$))+$", number.lower())
    words = re.findall(rf"{_SCALE}|k|bn|m$", last[0]) if last else ()
    return prod(_SCALES[word.rstrip("s")] for word in words)


def _parse(number: str) -> tuple[float, float]:
    """The value of a number in digits or words, and its last given decimal place."""
    text = number.lower()
    if power := _POWERED.fullmatch(text):
        exponent = (power["up"] or power["raised"]).translate(LOWERED)
        step = 10.0 ** int(exponent.translate(_SIGNS))
        return float(power["times"] or 1) * step, step
    if re.fullmatch(r"\d+,\d{1,2}(?: .*)?", text):
        text = text.replace(",", ".")
    marks = r"\." if re.match(r"\d{1,3}(?:\.\d{3}){2}", text) else _THOUSANDS
    text = re.sub(rf"(?<=\d){marks}(?=\d)", "", text)
    digits = re.match(r"[\d.]+", text)
    if not digits:
        return _parse_words(text), 0.0
    value, scale = float(digits[0]), _scale(text[digits.end() :])
    whole, _, decimals = digits[0].partition(".")
    zeros = len(whole) - len(whole.rstrip("0")) if not decimals and value else 0
    return value * scale, scale * 10.0 ** (zeros - len(decimals))


def _parse_words(text: str) -> float:
    """The value of a number in words."""
    total, current = 0.0, 0.0
    for word in re.findall(r"[a-z]+", text.replace("and a half", "half")):
        if word in _COUNTS:
            current += _COUNTS[word]
        elif word == "half":
            current += 0.5
        elif word in _SCALES:
            current = (current or 1.0) * _SCALES[word]
            if _SCALES[word] > _SCALES["hundred"]:
                total, current = total + current, 0.0
    return total + current
