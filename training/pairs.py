"""The examples that the cross-encoder learns from: two texts and their acceptable labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from errata.records import Document, VerdictLabel
from errata.tools.judges.entailment import evidence_text
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence

STRIP_COUNTS = (1, 2, 3, 3)
"""How many strips a claim is shown with; drawn anew for every pair."""
Labels = tuple[VerdictLabel | Literal["relevant", "irrelevant"], ...]
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
    """Empty where only the answer or the larger cross-encoder is learned from."""
    bundle: str = ""
    """Pairs of one bundle are learned in one step: they differ in little but their labels."""
    answer: str | None = None
    """What in the second text fills the first one's gap, or answers it; empty if nothing does."""
    taught: tuple[float, ...] = ()
    """The four logits of a larger cross-encoder."""


def draw_excerpt(claim: str, evidence: Evidence, random: Random) -> str:
    """One to three of the strips that match a claim best."""
    return evidence_text(Reading(claim), evidence, random.choice(STRIP_COUNTS))


def index_texts(texts: Sequence[str], title: str = "") -> Evidence:
    """The evidence that some texts of one title make."""
    documents = [Document(id=f"d{i}", text=text, title=title) for i, text in enumerate(texts)]
    return collect_evidence(frozenset(), documents)
