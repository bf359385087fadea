"""What a rule makes of a sentence, and how the two relate."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from errata.tools.text.words import replace_span

Relation = Literal["contradicts", "follows", "open", "unsupported"]
"""What the edited sentence is to the first one.

`open` is neither said nor denied; `unsupported` does not follow, and may contradict.
"""


@dataclass(frozen=True)
class Edit:
    """A sentence that a rule made of another."""

    family: str
    text: str
    relation: Relation
    mutual: bool = False
    """Whether the relation also holds the other way round."""


@dataclass(frozen=True)
class Source:
    """A sentence with the texts of its page."""

    text: str
    others: tuple[str, ...] = ()
    """The other sentences of its paragraph."""
    title: str = ""
    foreign: tuple[str, ...] = ()
    """Sentences of other pages."""


Rule = Callable[[Source, Random], Iterator[Edit]]


def replace_match(match: re.Match[str], new: str, group: int = 0) -> str:
    """The text of a match with one of its groups replaced."""
    return replace_span(match.string, match.start(group), match.end(group), new)
