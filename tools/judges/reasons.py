"""Why a claim is neither supported nor refuted: spoken against, unspoken of, or not understood."""

from collections.abc import Mapping

from errata.records import Reason
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    VerifierWeights,
    refutation,
    score_finding,
)
from errata.tools.judges.pairs import BEGINNING, is_like, presupposed
from errata.tools.text.clauses import find_subject

LIKELY = 0.5
"""The probability from which on a strip rather speaks against a claim."""
MENTIONED = 1 / 3
"""The share of a claim's own words above which documents speak of it. Of 110 behaviours that no
document mentions 90 have less, of 323 that are borne out 22."""
COULD_NOT_TELL = "the documents speak of this; the local reader could not tell"


def reason_of(
    claim: Reading, evidence: Evidence, finding: Finding, weights: VerifierWeights
) -> tuple[Reason, str]:
    """Why a claim without a sure verdict has none, and the same in words."""
    if score_finding(finding, weights) >= SUPPORTED:
        return "not_understood", COULD_NOT_TELL
    if not are_spoken_of(claim, evidence):
        return "absent", "the documents do not say this"
    if refutation(finding) > LIKELY:
        return "contradicted", "the documents seem to say otherwise, but not surely"
    return "not_understood", COULD_NOT_TELL


def are_spoken_of(claim: Reading, evidence: Evidence) -> bool:
    """Whether the strips that match a claim best have enough of what it says of its subject.

    Dates and numbers aside: a document that speaks of the claim may have others.
    """
    values = {s for e in claim.entities if e.kind != "name" for s in e.stems}
    weights = weigh_stems(claim, evidence)
    others = {stem: weight for stem, weight in weights.items() if stem not in values} or weights
    best = (strip.bag for strip, _ in evidence.best(claim))
    return share_of(others, frozenset[str]().union(*best)) > MENTIONED


def weigh_stems(claim: Reading, evidence: Evidence) -> dict[str, float]:
    """How much each word counts that a claim says of its subject: the rarer, the more.

    A word of a number or name counts twice; the subject's own name does not.
    """
    subject = presupposed(claim, evidence) | _name_of_subject(claim)
    named = frozenset[str]().union(*(entity.stems for entity in claim.entities))
    own = (stem for stem in claim.own_stems if stem not in subject)
    return {stem: evidence.idf(stem) * (2 if stem in named else 1) for stem in own}


def _name_of_subject(claim: Reading) -> frozenset[str]:
    """The stems by which a claim names its subject: a name in it, or its one word."""
    subject = Reading(find_subject(claim.text[:BEGINNING]))
    names = (entity.stems for entity in subject.all_entities if entity.kind == "name")
    return frozenset(subject.own_stems if len(subject.own_stems) == 1 else ()).union(*names)


def share_of(weights: Mapping[str, float], bag: frozenset[str]) -> float:
    """The share of weighted words that some stems have, themselves or by a synonym."""
    have = sum(weight for stem, weight in weights.items() if stem in bag or is_like(stem, bag))
    return have / (sum(weights.values()) or 1)
