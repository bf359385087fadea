"""Typed entities of a text: dates, years, numbers and proper names."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Literal

from errata.tools.text.words import STOPWORDS, WORD, remember_short, stem

Kind = Literal["date", "year", "number", "name", "identifier"]

MONTHS = (
    "January February March April May June July August September October November December"
).split()
_MOST_DAYS = 31
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:{_SHORT})(?:\.|(?= \d)))"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:1\d{3}|20\d{2})"
DATE = re.compile(
    rf"(?P<m1>{_MONTH}) (?P<d1>{_DAY})(?:,? (?P<y1>{_YEAR}))?(?!\d)"
    rf"|(?<!\d)(?P<d2>{_DAY}) (?:of )?(?P<m2>{_MONTH}),?(?: (?P<y2>{_YEAR}))?(?!\d)"
    rf"|(?P<m3>{_MONTH}),? (?P<y3>{_YEAR})(?!\d)"
)
DIGITAL_DATE = re.compile(
    rf"(?<![\d./-])(?:(?P<y1>{_YEAR})(?P<sign>[./-])(?P<m1>\d\d?)(?P=sign)(?P<d1>\d\d?)"
    rf"|(?P<first>\d{{1,2}})(?P<mark>[./-])(?P<second>\d{{1,2}})(?P=mark)"
    rf"(?P<y2>{_YEAR}|(?<!-)\d\d)|(?P<d3>\d{{1,2}})(?P<dash>[ /-])"
    rf"(?P<m3>(?i:{_SHORT}|{'|'.join(MONTHS)}))(?P=dash)(?P<y3>{_YEAR}|(?<! )\d\d))(?![\d/-]|\.\d)"
)
TIME = re.compile(
    r"(?<![\d.:,])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\d.:,])(?P<hour24>[01]?\d|2[0-4])(?::|h(?=\d)|(?:(?<=\bat \d)|(?<=\bat \d\d)"
    r"|(?<=\bby \d\d)|(?<=\bfrom \d\d)|(?<=\buntil \d\d))\.(?=\d\d(?:[.!?]?\s*$|[.!?] |[,;)]"
    r"| (?:on|in|and|to|until|every|each|daily|hours)\b)))(?P<minute24>[0-5]\d)(?![\d:])"
    r"|\b(?:12 )?(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)
YEAR = re.compile(rf"(?<![\d,.$£€-])(?<![A-Za-z]){_YEAR}s?(?![\d,]\d|\d)")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()
NUMBER_WORDS = (
    {word: str(value) for value, word in enumerate(_UNITS)}
    | {word: f"{value}th" for value, word in enumerate(_ORDINALS)}
    | {"once": "1", "twice": "2", "dozen": "12", "thirty": "30", "forty": "40", "fifty": "50"}
    | {"sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100"}
)
NUMBER = re.compile(
    r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th|%)?(?![\w])"
    rf"|\b(?:{'|'.join(NUMBER_WORDS)})\b",
    re.IGNORECASE,
)
# A capital inside a word ends the name ("FlahertyBorn") unless little stands before ("McAvoy").
_LETTERS = r"(?:[a-z]{1,2}(?=[A-Z][a-z]))?(?:(?!(?<=[a-zà-ÿ]{3})[A-Z])[^\W\d_])*"
_CAPITAL = rf"[A-ZÀ-ÖØ-Þ]{_LETTERS}(?:['’&-][^\W\d_]+)*(?:(?<![^\W\d_][A-Z])(?<=[A-Z])\.)?"
_LINK = r"(?: (?:of|the|de|da|di|del|la|le|van|von|der|and|for|al|bin|ibn|&) (?=[A-ZÀ-Þ])| )"
_MEASURED = r" ?(?:[kcm]?[gm]|m?l|(?:minute|hour|day|week|month|year|euro|dollar|mile)s?)\b"
# "Apollo 11" is a name; "Everest 8,849" is not, nor is "Take 20" of mg.
NAME = re.compile(
    rf"(?:\b|(?<=[a-zà-ÿ])){_CAPITAL}(?:{_LINK}{_CAPITAL})*(?: \d{{1,3}}(?![\w,.%]|{_MEASURED}))?"
)


@dataclass(frozen=True)
class Entity:
    """One typed entity with its place; `key` is equal for two spellings of the same thing."""

    kind: Kind
    start: int
    end: int
    text: str
    key: str

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words; a name's stopwords are left out."""
        stems = frozenset(stem(match.group()) for match in WORD.finditer(self.text))
        return stems - STOPWORDS if self.kind == "name" else stems


@remember_short
def find_entities(text: str) -> list[Entity]:
    """The entities of a text from left to right; none overlap.

    >>> [(entity.kind, entity.key) for entity in find_entities("Ada Byron wed in July 1835.")]
    [('name', 'ada byron'), ('date', '1835-7-?')]
    """
    entities, occupied = list[Entity](), set[int]()
    for kind, pattern, key_of in _KINDS:
        for match in pattern.finditer(text):
            place, key = range(*match.span()), key_of(match)
            if key and occupied.isdisjoint(place):
                occupied.update(place)
                entities.append(Entity(kind, *match.span(), match.group(), key))
    return sorted(entities, key=lambda entity: entity.start)


@lru_cache(maxsize=4096)
def find_dates(text: str) -> tuple[Entity, ...]:
    """The dates and years of a text."""
    return tuple(e for e in find_entities(text) if e.kind in ("date", "year"))


def year_of(date: Entity) -> str:
    """The year of a date or year; empty if it has none, or one without its century."""
    year = date.key.split("-")[0]
    return "" if "?" in year else year


def write_like(date: Entity, original: Entity) -> str:
    """A date in the form of another one: the year alone, or month or day first."""
    if original.kind == "year" and year_of(date):
        return year_of(date)
    if date.kind != "date" or {"?", "|"} & set(date.key):
        return date.text
    year, month, day = date.key.split("-")
    name = MONTHS[int(month) - 1]
    return f"{name} {day}, {year}" if original.text[0].isalpha() else f"{day} {name} {year}"


def agree(ours: Entity, theirs: Entity) -> bool:
    """Whether two entities can mean the same: equal keys, or a date and a part of it."""
    if ours.kind == theirs.kind == "date":
        return any(
            all("?" in (a, b) or _is_part(a, b) for a, b in zip(one, other, strict=True))
            for one, other in product(readings(ours), readings(theirs))
        )
    if ours.kind == "year" and theirs.kind in ("year", "date"):
        decade = ours.key.removesuffix("0s")
        return theirs.key.startswith(decade if ours.key.endswith("0s") else ours.key)
    return ours.key == theirs.key


def readings(date: Entity) -> list[list[str]]:
    """The years, months and days that a date may mean: 03/04/1934 is in March, or in April."""
    return [reading.split("-") for reading in date.key.split("|")]


def _is_part(one: str, other: str) -> bool:
    """Whether two years, months or days may be the same; of '34 the century is open."""
    short = min(one, other, key=lambda part: part[:1].isdigit())
    return one == other or (short.startswith("??") and one[-2:] == other[-2:])


def _date_key(match: re.Match[str]) -> str:
    """A date as year-month-day, with a question mark for each missing part."""
    month = match["m1"] or match["m2"] or match["m3"]
    day = match["d1"] or match["d2"] or "?"
    year = match["y1"] or match["y2"] or match["y3"] or "?"
    return f"{year}-{_number_of(month)}-{re.sub(r'[a-z]', '', day).lstrip('0')}"


def _number_of(month: str) -> int:
    return [name[:3].lower() for name in MONTHS].index(month[:3].lower()) + 1


def _digital_date_key(match: re.Match[str]) -> str:
    """A date in digits, with each order that day and month may have; empty if it is none."""
    if match["y1"]:
        orders = [(int(match["m1"]), int(match["d1"]))]
    elif match["m3"]:
        orders = [(_number_of(match["m3"]), int(match["d3"]))]
    else:
        first, second = int(match["first"]), int(match["second"])
        orders = [(second, first)] if match["mark"] == "." else [(second, first), (first, second)]
    year = match["y1"] or match["y2"] or match["y3"]
    keys = {
        f"{year.rjust(4, '?')}-{month}-{day}"
        for month, day in orders
        if 1 <= month <= len(MONTHS) and 1 <= day <= _MOST_DAYS
    }
    return "|".join(sorted(keys))


def _number_key(match: re.Match[str]) -> str:
    text = match.group().lower().replace(",", "")
    return NUMBER_WORDS.get(text, re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "th", text))


def _name_key(match: re.Match[str]) -> str:
    """The stems of a name; empty for a capitalised stopword or number word."""
    if match.group().lower() in NUMBER_WORDS:
        return ""
    stems = [stem(word.group()) for word in WORD.finditer(match.group())]
    return " ".join(s for s in stems if s not in STOPWORDS)


_KINDS: tuple[tuple[Kind, re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    ("date", DIGITAL_DATE, _digital_date_key),
    ("date", DATE, _date_key),
    ("year", YEAR, lambda match: match.group()),
    ("name", NAME, _name_key),
    ("number", NUMBER, _number_key),
)
