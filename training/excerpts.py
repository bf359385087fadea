"""What of documents a claim is shown with while the cross-encoder learns."""

from collections.abc import Sequence
from random import Random

from errata.core.records import Document
from errata.tools.judges.entailment import join_strips
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence
from errata.tools.text.strips import Strip

STRIP_COUNTS = (1, 2, 3, 3)
"""How many strips a question is shown with; drawn anew for every pair."""
WORDS = (25, 50, 100, 100, 130)
"""About how many words of evidence a claim is shown with; drawn anew for every pair."""
LEAST_WORDS = 5
"""An excerpt to which fewer words can be added is full."""


def draw_excerpt(claim: str, evidence: Evidence, random: Random) -> str:
    """The strips that match a claim best, about as many words as one of WORDS."""
    strips = excerpt_for(Reading(claim), evidence, random.choice(WORDS))
    return join_strips(strips, evidence)


def excerpt_for(claim: Reading, evidence: Evidence, words: int) -> list[Strip]:
    """The strips that a claim is read with together, about so many words in all.

    Those that match it best, then those beside them, then the rest from the beginning on.
    """
    ranked = [strip for strip, _ in evidence.best(claim)]
    places = {strip: place for place, strip in enumerate(evidence.strips)}
    beside = (
        evidence.strips[place]
        for strip in ranked
        for place in (places[strip] - 1, places[strip] + 1)
        if 0 <= place < len(evidence.strips) and evidence.strips[place].document == strip.document
    )
    chosen, left = dict.fromkeys(ranked[:1]), words - sum(len(s.words) for s in ranked[:1])
    for strip in (*ranked, *beside, *evidence.strips):
        if strip not in chosen and len(strip.words) <= left:
            chosen[strip] = None
            left -= len(strip.words)
        if left < LEAST_WORDS:
            break
    return list(chosen)


def index_texts(texts: Sequence[str], title: str = "") -> Evidence:
    """The evidence that some texts of one title make."""
    documents = [Document(id=f"d{i}", text=text, title=title) for i, text in enumerate(texts)]
    return collect_evidence(frozenset(), documents)
