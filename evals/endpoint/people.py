"""Invented people, always the same: a page about each, and a draft of it with planted errors."""

import re
from dataclasses import dataclass
from functools import cache
from random import Random

PEOPLE = 40
"""How many there are; each has a surname of their own."""
_WORD = re.compile(r"\w+")
_FIRST = "Ada Bruno Clara Dario Edith Felix Greta Hugo Irma Jonas".split()
_LAST = (
    "Holm Varga Lindt Okafor Brandt Moreau Salonen Petrov Quist Tanaka Abell Bosch Calder Dietz "
    "Eklund Farkas Galli Hauge Ibsen Jansen Kowal Lorenz Macho Novak Olsen Pavic Ravn Sorel Toth "
    "Urban Vidal Weiss Ylonen Zander Aalto Bianchi Costa Duval Esser Falk"
).split()
_TOWNS = "Bergen Gdansk Lyon Porto Trieste Uppsala Bruges Cork Graz Leiden Tartu Zagreb".split()
_FIELDS = "botany geology optics statistics acoustics hydrology metallurgy entomology".split()
_TOPICS = (
    "river deltas, alpine mosses, church bells, coastal fog, glass lenses, copper alloys, "
    "desert beetles, harvest records"
).split(", ")
_JOBS = "painter surgeon violinist architect translator engineer".split()
_SENTENCES = (
    "{name} was born on {day} May {birth} in {town}.",
    "{last} was the youngest of {siblings} children of a {trade}.",
    (
        "{last} studied {field} at the University of {university}; "
        "{last} received a doctorate in {doctorate} for a thesis on {topic}."
    ),
    (
        "{last} taught at the University of {employer} from {first} to {until}; "
        "{last} published the first survey of {topic} in {survey}."
    ),
    "{last} led an expedition of {members} members to {place} in {expedition}.",
    "{last} married the {job} {spouse} in {wedding}; the couple had {daughters} daughters.",
    (
        "{last} won the Medal of the Academy of {academy} in {medal}; "
        "{last} founded the Museum of {subject} in {museum}."
    ),
    (
        "{last} edited the Journal of {branch} from {editor} to {left}; "
        "the journal had about {readers} readers in {editor}."
    ),
    "{last} retired in {retirement}; a street in {street} was named after {last} in {named}.",
    "{name} died on {day} October {death} in {grave}.",
)
_LEFT_OUT = 4
"""The sentence of the page that the draft does not have."""
_WRONG = ("birth", "university", "survey", "daughters", "medal", "readers", "named", "grave")
"""The facts that a draft may have wrong."""
_PLANTED = 6
SURNAMES = frozenset(map(str.lower, _LAST))


@dataclass(frozen=True)
class Person:
    """One invented person, and what is written about them."""

    name: str
    page: str
    """All that is true."""
    draft: str
    """The page with at most six facts wrong, a sentence missing and one that it does not have."""

    @property
    def question(self) -> str:
        """What the draft answers."""
        return f"Who was {self.name}?"


@cache
def people() -> tuple[Person, ...]:
    """All of them."""
    return tuple(map(_invent, range(PEOPLE)))


def person_in(text: str) -> Person | None:
    """The first person of our list whose surname a text has."""
    words = set(_WORD.findall(text))
    return next((person for person in people() if person.name.split()[-1] in words), None)


def _invent(number: int) -> Person:
    random = Random(number)
    facts = _facts(number, random)
    wrong = _facts(number + PEOPLE, random)
    planted = {name: wrong[name] for name in random.sample(_WRONG, _PLANTED)}
    page = [sentence.format(**facts) for sentence in _SENTENCES]
    draft = [sentence.format(**facts | planted) for sentence in _SENTENCES]
    del draft[_LEFT_OUT]
    draft.insert(-1, f"{facts['last']} kept bees on a farm outside the town.")
    return Person(facts["name"], " ".join(page), " ".join(draft))


def _facts(number: int, random: Random) -> dict[str, str]:
    """What is said of one person, by the places in the sentences."""
    last = _LAST[number % len(_LAST)]
    birth = 1850 + random.randrange(50)
    ages = {"doctorate": 26, "first": 28, "survey": 33, "wedding": 35, "until": 39, "medal": 44}
    ages |= {"expedition": 47, "museum": 52, "editor": 54, "left": 60, "retirement": 65}
    ages |= {"death": 74, "named": 90}
    years = {name: str(birth + age + random.randrange(3)) for name, age in ages.items()}
    towns = "town university employer academy place street grave".split()
    return {
        "name": f"{_FIRST[number % len(_FIRST)]} {last}",
        "last": last,
        "birth": str(birth),
        "day": str(random.randrange(1, 31)),
        "siblings": random.choice("four five six seven".split()),
        "daughters": random.choice("three four five seven".split()),
        "members": random.choice("nine twelve twenty thirty".split()),
        "trade": random.choice("baker miller weaver printer".split()),
        "readers": str(100 * random.randrange(3, 90)),
        "branch": random.choice(_FIELDS).title(),
        "field": random.choice(_FIELDS),
        "subject": random.choice(_FIELDS).title(),
        "topic": random.choice(_TOPICS),
        "job": random.choice(_JOBS),
        "spouse": f"{random.choice(_FIRST)} {random.choice(_LAST)}",
        **dict(zip(towns, random.sample(_TOWNS, len(towns)), strict=True)),
        **years,
    }
