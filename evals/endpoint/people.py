"""Invented people, always the same: a page about each, and a draft of it with planted errors."""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Person:
    """One invented person, and what is written about them."""

    name: str
    page: str
    """All that is true."""
    draft: str
    """The page with at most six facts wrong, a sentence missing and one that it does not have."""
    planted: tuple[tuple[str, str], ...]
    """The clauses that the page does not have, each with the words that are wrong, maybe all."""

    @property
    def question(self) -> str:
        """What the page and the draft answer."""
        return f"Who was {self.name}?"


@cache
def people() -> tuple[Person, ...]:
    """All of them; each has a surname of their own."""
    lines = files(__package__).joinpath("people.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(Person(**json.loads(line)) for line in lines)


def person_in(text: str) -> Person | None:
    """The first person of our list whose surname a text has."""
    words = set(_WORD.findall(text))
    return next((person for person in people() if person.name.split()[-1] in words), None)


@cache
def surnames() -> frozenset[str]:
    """The surnames in small letters."""
    return frozenset(person.name.split()[-1].lower() for person in people())
