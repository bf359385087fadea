"""CRAG's own records: actions and strips of knowledge."""

from dataclasses import dataclass
from typing import Literal

Action = Literal["correct", "incorrect", "ambiguous"]


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """One strip of knowledge for the generator: `text` is `document[start:end]`."""

    document: str
    """The document's id."""
    start: int
    end: int
    text: str
    score: float | None = None
    """The evaluator's score in [-1, 1]; None where nothing scored it."""
