"""RE-EX's own records: answers to sub-questions, and explanations of errors."""

from dataclasses import dataclass

from errata.records.core import Quote
from errata.records.crag import Knowledge


@dataclass(frozen=True, kw_only=True)
class SubAnswer:
    """A sub-question with the strips that answer it."""

    question: str
    evidence: tuple[Knowledge, ...] = ()
    found: int = 0
    """How many texts were found for it, whatever became of them."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """One factual error: what is wrong at `draft[start:end]`, and what is right."""

    text: str
    start: int
    end: int
    claims: tuple[str, ...] = ()
    """The ids of the claims it speaks of."""
    evidence: tuple[Quote, ...] = ()
