"""The examples that the cross-encoder learns from: two texts and their acceptable labels."""

from dataclasses import dataclass
from typing import Literal

Labels = tuple[Literal["supported", "refuted", "not_mentioned", "relevant", "irrelevant"], ...]
"""Acceptable labels; annotators often say only that a claim is not supported."""
SUPPORTED: Labels = ("supported",)
REFUTED: Labels = ("refuted",)
NOT_MENTIONED: Labels = ("not_mentioned",)
UNSUPPORTED: Labels = ("refuted", "not_mentioned")
RELEVANT: Labels = ("relevant",)
IRRELEVANT: Labels = ("irrelevant",)


@dataclass(frozen=True)
class Pair:
    """Two texts and the labels that are acceptable for them."""

    group: str
    """Pairs of one group belong on the same side of a split."""
    source: str
    first: str
    """A claim or a question."""
    second: str
    """Its evidence, or a text that may answer it."""
    labels: Labels
    """Empty where only the answer is learned from."""
    bundle: str = ""
    """Pairs of one bundle are learned in one step: they differ in little but their labels."""
    answer: str | None = None
    """What in the second text fills the first one's gap, or answers it; empty if nothing does."""
    wrong: tuple[tuple[int, int], ...] | None = None
    """Where the claim's wrong words are; none in a true claim, None where it is not known."""
