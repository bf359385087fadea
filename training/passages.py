"""Paragraphs to make claims of, and what of documents a claim is shown with."""

from collections.abc import Sequence
from random import Random

from errata.core.records import Document
from errata.tools.judges.entailment import excerpt_for, join_strips
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence

WORDS = (25, 50, 100, 100, 130)
"""About how many words of evidence a claim is shown with; drawn anew for every pair."""


def index_texts(texts: Sequence[str], title: str = "") -> Evidence:
    """The evidence that some texts of one title make."""
    documents = [Document(id=f"d{i}", text=text, title=title) for i, text in enumerate(texts)]
    return collect_evidence(frozenset(), documents)


def draw_excerpt(claim: str, evidence: Evidence, random: Random) -> str:
    """The strips that match a claim best, about as many words as one of WORDS."""
    strips = excerpt_for(Reading(claim), evidence, random.choice(WORDS))
    return join_strips(strips, evidence)
