"""Pairs about invented things: notes on two of a kind, with claims in other words.

Knowing the world does not help with them, and the right figure of the other thing stands near. The
kinds, their traits and the words for them are in `invented.json`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from errata.tools.text.entities import MONTHS
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair

TABLE = Path(__file__).with_name("invented.json")
LINES_SHARE = 0.3
"""How many notes are lines of keys and values instead of sentences."""
RIVAL_SHARE = 0.7
"""How many notes tell of both things what the claim is about."""
_FIRST = (
    "Mara Jonas Ilse Tomas Priya Kenji Amina Lucas Freya Omar Nadia Victor Elena Samuel Rosa Anton "
    "Leila Hugo Greta Diego Wanda Felix Irene Malik"
).split()
_LAST = (
    "Voss Tanaka Okoye Lindqvist Moreau Haddad Petrov Salazar Brandt Quinn Iyer Novak Abbott "
    "Ferrari Castell Dunmore Eklund Farrow Grieve Holm"
).split()
_STARTS = "Har Bel Tor Mil Ash Cor Wes Nor Lan Sel Dun Fen Gre Kel Mor Os Pel Rad Stan Var".split()
_ENDS = "wick ford by ton mere dale holm field stead bury vale port haven crest mouth gate".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_OPPOSED = {
    "allowed": "forbidden",
    "required": "optional",
    "accepted": "rejected",
    "approved": "refused",
    "rose": "fell",
    "increased": "decreased",
    "public": "private",
    "succeeded": "failed",
}
"""Values that exclude each other; the values on one side do not."""


@dataclass(frozen=True)
class Trait:
    """Something that notes tell of a thing: `{x}` is the thing, `{v}` the value."""

    key: str
    value: str
    """How a value is drawn: a name in DRAWS, and settings."""
    notes: Sequence[str]
    claims: Sequence[str]

    def draw(self, random: Random) -> str:
        """A value of this trait."""
        name, *settings = self.value.split(" ")
        return DRAWS[name](random, settings)


@cache
def read_kinds() -> dict[str, tuple[str, list[Trait]]]:
    """For each kind the form of its names, and its traits."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    return {
        kind: (row["name"], [Trait(**trait) for trait in row["traits"]])
        for kind, row in table.items()
    }


def _place(random: Random, _: Sequence[str]) -> str:
    return random.choice(_STARTS) + random.choice(_ENDS)


def _person(random: Random, _: Sequence[str]) -> str:
    return f"{random.choice(_FIRST)} {random.choice(_LAST)}"


def _date(random: Random, _: Sequence[str]) -> str:
    return f"{random.randint(1, 28)} {random.choice(MONTHS)} {random.randint(1960, 2024)}"


def _year(random: Random, _: Sequence[str]) -> str:
    return str(random.randint(1890, 2024))


def _money(random: Random, _: Sequence[str]) -> str:
    value = random.choice((random.randint(2, 90), random.randint(1, 95) / 10))
    return f"{random.choice('$€£')}{value:g} {random.choice(('million', 'billion', 'thousand'))}"


def _price(random: Random, _: Sequence[str]) -> str:
    return f"{random.choice('$€£')}{random.randint(2, 400)}"


def _time(random: Random, _: Sequence[str]) -> str:
    minutes, half = random.choice(("00", "15", "30", "45")), random.choice(("a.m.", "p.m."))
    return f"{random.randint(6, 11)}:{minutes} {half}"


def _weekday(random: Random, _: Sequence[str]) -> str:
    return random.choice(_DAYS)


def _count(random: Random, settings: Sequence[str]) -> str:
    """A number between two, with one of some units."""
    low, high, *units = settings
    value = f"{random.randint(int(low), int(high)):,}"
    return f"{value} {random.choice(' '.join(units).split('|'))}" if units else value


def _opposed(random: Random, settings: Sequence[str]) -> str:
    """One of some words or of their opposites."""
    return random.choice([*settings, *(_OPPOSED[word] for word in settings)])


DRAWS: Mapping[str, Callable[[Random, Sequence[str]], str]] = {
    "place": _place,
    "person": _person,
    "date": _date,
    "year": _year,
    "money": _money,
    "price": _price,
    "time": _time,
    "weekday": _weekday,
    "count": _count,
    "opposed": _opposed,
}
"""What draws a value, by name."""


def exclude(first: str, second: str) -> bool:
    """Whether two values of a trait cannot both be right."""
    sides = [value in _OPPOSED for value in (first, second)]
    is_opposed = any(value in _OPPOSED or value in _OPPOSED.values() for value in (first, second))
    return sides[0] != sides[1] if is_opposed else first != second


@dataclass(frozen=True)
class _Thing:
    name: str
    values: Mapping[str, str]


def invented_pairs(count: int, random: Random) -> Iterator[Pair]:
    """Bundles of pairs on `count` notes."""
    for number in range(count):
        kind = random.choice(sorted(read_kinds()))
        things = [_invent(kind, random) for _ in range(3)]
        traits = random.sample(read_kinds()[kind][1], 4)
        for first, second, labels in _bundle(things, traits, random):
            group = f"invented:{number}"
            yield Pair(group, f"invented {kind.lower()}", first, second, labels, group)


def _invent(kind: str, random: Random) -> _Thing:
    name, traits = read_kinds()[kind]
    values = {trait.key: trait.draw(random) for trait in traits}
    return _Thing(name.format(_place(random, ())), values)


def _bundle(
    things: Sequence[_Thing], traits: Sequence[Trait], random: Random
) -> Iterator[tuple[str, str, Labels]]:
    """True claims, false ones with another value, and one that the notes leave open."""
    own, other, absent = things
    asked, untold = traits[0], traits[-1]
    text = _write_notes((own, other), traits[:-1], random)
    first, second = random.sample(asked.claims, 2)
    value, rival = own.values[asked.key], other.values[asked.key]
    yield _state(first, own.name, value), text, SUPPORTED
    yield _state(second, own.name, value), text, SUPPORTED
    for template, wrong in ((first, rival), (second, asked.draw(random))):
        if exclude(wrong, value):
            yield _state(template, own.name, wrong), text, REFUTED
    if random.choice((True, False)):
        foreign = random.choice((value, absent.values[asked.key]))
        yield _state(first, absent.name, foreign), text, NOT_MENTIONED
    else:
        claim = random.choice(untold.claims)
        yield _state(claim, own.name, own.values[untold.key]), text, NOT_MENTIONED


def _write_notes(things: Sequence[_Thing], traits: Sequence[Trait], random: Random) -> str:
    """Sentences or key-value lines on all things, in some order."""
    if random.random() < LINES_SHARE:
        blocks = [_write_lines(thing, random.sample(traits, len(traits))) for thing in things]
        return " ".join(random.sample(blocks, len(blocks)))
    told = [(thing, trait) for thing in things for trait in traits]
    keep = [told[0], *random.sample(told[1:], random.randint(1, 3))]
    if random.random() < RIVAL_SHARE and (things[1], traits[0]) not in keep:
        keep.append((things[1], traits[0]))
    random.shuffle(keep)
    notes = (_state(random.choice(t.notes), x.name, x.values[t.key]) for x, t in keep)
    return " ".join(notes)


def _write_lines(thing: _Thing, traits: Sequence[Trait]) -> str:
    title = thing.name[:1].upper() + thing.name[1:]
    return f"{title} " + " ".join(f"{trait.key}: {thing.values[trait.key]}" for trait in traits)


def _state(template: str, name: str, value: str) -> str:
    text = template.format(x=name, v=value)
    return text[:1].upper() + text[1:]
