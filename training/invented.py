"""Pairs about invented things: notes on two of a kind, with claims in other words.

Knowing the world does not help with them, and the right figure of the other thing stands near. The
kinds, their traits and the words for them are in `invented.json`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from errata.tools.text.entities import MONTHS
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair

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


Trait = dict[str, Any]
"""Something that notes tell of a thing, in `notes` and `claims` where `{x}` is the thing and `{v}`
the value; `value` says how one is drawn: a name in DRAWS, and settings."""
Thing = tuple[str, dict[str, str]]
"""A name, and the value of each trait by its key."""


def _count(random: Random, low: str, high: str, *units: str) -> str:
    """A number between two, with one of some units."""
    value = f"{random.randint(int(low), int(high)):,}"
    return f"{value} {random.choice(' '.join(units).split('|'))}" if units else value


def _opposed(random: Random, *words: str) -> str:
    """One of some words or of their opposites."""
    return random.choice([*words, *(_OPPOSED[word] for word in words)])


def _money(random: Random) -> str:
    value = random.choice((random.randint(2, 90), random.randint(1, 95) / 10))
    return f"{random.choice('$€£')}{value:g} {random.choice(('million', 'billion', 'thousand'))}"


DRAWS: Mapping[str, Callable[..., str]] = {
    "place": lambda random: random.choice(_STARTS) + random.choice(_ENDS),
    "person": lambda random: f"{random.choice(_FIRST)} {random.choice(_LAST)}",
    "date": lambda random: (
        f"{random.randint(1, 28)} {random.choice(MONTHS)} {random.randint(1960, 2024)}"
    ),
    "year": lambda random: str(random.randint(1890, 2024)),
    "money": _money,
    "price": lambda random: f"{random.choice('$€£')}{random.randint(2, 400)}",
    "time": lambda random: (
        f"{random.randint(6, 11)}:{random.choice(('00', '15', '30', '45'))} "
        f"{random.choice(('a.m.', 'p.m.'))}"
    ),
    "weekday": lambda random: random.choice(_DAYS),
    "count": _count,
    "opposed": _opposed,
}
"""What draws a value, by name."""


def exclude(first: str, second: str) -> bool:
    """Whether two values of a trait cannot both be right."""
    if {first, second} & {*_OPPOSED, *_OPPOSED.values()}:
        return (first in _OPPOSED) != (second in _OPPOSED)
    return first != second


def invented_pairs(count: int, random: Random) -> Iterator[Pair]:
    """Bundles of pairs on `count` notes."""
    table = json.loads(Path(__file__).with_name("invented.json").read_text(encoding="utf-8"))
    for number in range(count):
        kind = table[random.choice(sorted(table))]
        things = []
        for _ in range(3):
            drawn = {trait["key"]: _draw(trait, random) for trait in kind["traits"]}
            things.append((kind["name"].format(DRAWS["place"](random)), drawn))
        group = f"invented:{number}"
        for first, second, labels in _bundle(things, random.sample(kind["traits"], 4), random):
            yield Pair(group, "invented", first, second, labels, group)


def _draw(trait: Trait, random: Random) -> str:
    name, *settings = trait["value"].split(" ")
    return DRAWS[name](random, *settings)


def _bundle(
    things: Sequence[Thing], traits: Sequence[Trait], random: Random
) -> Iterator[tuple[str, str, Labels]]:
    """True claims, false ones with another value, and one that the notes leave open."""
    (name, own), (_, other), (absent, strange) = things
    asked, untold = traits[0], traits[-1]
    text = _write_notes(things[:2], traits[:-1], random)
    first, second = random.sample(asked["claims"], 2)
    value, rival = own[asked["key"]], other[asked["key"]]
    yield _state(first, name, value), text, SUPPORTED
    yield _state(second, name, value), text, SUPPORTED
    for template, wrong in ((first, rival), (second, _draw(asked, random))):
        if exclude(wrong, value):
            yield _state(template, name, wrong), text, REFUTED
    if random.choice((True, False)):
        foreign = random.choice((value, strange[asked["key"]]))
        yield _state(first, absent, foreign), text, NOT_MENTIONED
    else:
        claim = random.choice(untold["claims"])
        yield _state(claim, name, own[untold["key"]]), text, NOT_MENTIONED


def _write_notes(things: Sequence[Thing], traits: Sequence[Trait], random: Random) -> str:
    """Sentences or key-value lines on all things, in some order."""
    if random.random() < LINES_SHARE:
        blocks = []
        for name, values in things:
            shuffled = random.sample(traits, len(traits))
            lines = " ".join(f"{trait['key']}: {values[trait['key']]}" for trait in shuffled)
            blocks.append(f"{name[:1].upper()}{name[1:]} {lines}")
        return " ".join(random.sample(blocks, len(blocks)))
    rows = [(thing, trait) for thing in things for trait in traits]
    keep = [rows[0], *random.sample(rows[1:], random.randint(1, 3))]
    if random.random() < RIVAL_SHARE and (things[1], traits[0]) not in keep:
        keep.append((things[1], traits[0]))
    random.shuffle(keep)
    told = (_state(random.choice(t["notes"]), name, v[t["key"]]) for (name, v), t in keep)
    return " ".join(told)


def _state(template: str, name: str, value: str) -> str:
    text = template.format(x=name, v=value)
    return text[:1].upper() + text[1:]
