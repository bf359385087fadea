"""The label of a claim by what is known of it, the quote that shows it, and the reason in words."""

from collections.abc import Mapping

from errata.core.records import Quote, Reason, Verdict, VerdictLabel
from errata.tools.judges.disputes import judge_dispute, quotes_of
from errata.tools.judges.entailment import LIKELY
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    VerifierWeights,
    is_refuted,
    refutation,
    score_finding,
)
from errata.tools.judges.other_values import find_relations
from errata.tools.judges.pairs import is_like, presupposed, subject_of
from errata.tools.judges.values import find_values, has_value
from errata.tools.text.denials import is_denial
from errata.tools.text.entities import Entity
from errata.tools.text.strips import Strip

MENTIONED = 1 / 3
"""The share of a claim's own words above which documents speak of it. Of 110 behaviours that no
document mentions 90 have less, of 323 that are borne out 22."""
COULD_NOT_TELL = "the documents speak of this; the local reader could not tell"

_Label = tuple[VerdictLabel, Strip | None, str]
"""A label, the strip that it rests on, and the explanation."""


def judge_claim(
    claim_id: str, claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> Verdict:
    """The verdict on one claim."""
    probability = score_finding(finding, model)
    label, strip, explanation = _choose_label(claim, evidence, finding, model)
    reason: Reason | None = None
    if label == "not_mentioned":
        reason, said = _reason_of(evidence, finding, model)
        against = finding.entailment.strip if finding.entailment else None
        strip = {"contradicted": against, "absent": None}.get(reason, strip)
        explanation = explanation or said
    quotes: tuple[Quote, ...] = (strip.quote,) if strip else ()
    if finding.disputes and not finding.differences:
        label, explanation = judge_dispute(finding.disputes[0], evidence)
        quotes, reason = quotes_of(finding.disputes[0]), None
        probability = probability if label == "supported" else min(probability, SUPPORTED)
    return Verdict(
        claim=claim_id,
        label=label,
        reason=reason,
        score=round(probability, 4),
        evidence=quotes,
        explanation=explanation,
    )


def _choose_label(
    claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> _Label:
    """Refuted by what differs, or by the cross-encoder; else by how likely it is supported."""
    if finding.differences:
        return "refuted", finding.differences[0].strip, finding.differences[0].explanation
    if finding.told:
        return "supported", finding.told, ""
    against = finding.entailment.strip if finding.entailment else None
    spared = bool(finding.disputes) or not is_refuted(finding, model)
    if against and not spared and _is_spoken_of(finding.claim, evidence):
        return "refuted", against, explain_refutation(claim, against)
    closest = closest_strip(finding.claim, evidence)
    if closest is None or score_finding(finding, model) < max(SUPPORTED, model.sure):
        return "not_mentioned", closest, ""
    if bearing := find_bearing(finding.claim, closest, evidence):
        return "supported", bearing, ""
    return "not_mentioned", closest, "no place in the documents has all of its values and names"


def find_bearing(claim: Reading, closest: Strip, evidence: Evidence) -> Strip | None:
    """The closest strip, or else the best other one, that has all values and names of a claim.

    "It employs 140 people" is borne out by "It has a staff of about 140", not by "It was founded
    in 2018". A name that the question or a document is about need not be in the strip.
    """
    known = presupposed(claim, evidence)
    strips = (closest, *(strip for strip, _ in evidence.best(claim)))
    return next((strip for strip in strips if _has_all(claim, strip, known, evidence)), None)


def _has_all(claim: Reading, strip: Strip, known: frozenset[str], evidence: Evidence) -> bool:
    title = evidence.title_stems(strip.document)
    stated = find_values(strip.text)
    if not all(stem in strip.bag or is_like(stem, strip.bag) for stem in find_relations(claim)):
        return False
    names = (entity for entity in claim.all_entities if entity.kind == "name")
    return all(
        claimed.text in strip.text or has_value(claimed, stated)
        for claimed in find_values(claim.text)
    ) and all(_has_name(name, strip, known | title) for name in names)


def _has_name(name: Entity, strip: Strip, known: frozenset[str]) -> bool:
    """Whether a strip has of a name a word that is not known anyhow."""
    rest = name.stems - known
    return not rest or any(stem in strip.bag or is_like(stem, strip.bag) for stem in rest)


def closest_strip(claim: Reading, evidence: Evidence) -> Strip | None:
    """The strip with most of what the claim says of its subject; None where none has any of it."""
    weights = _weigh_stems(claim, evidence)
    shares = {strip: _share_of(weights, strip.bag) for strip, _ in evidence.best(claim)}
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best and shares[best] else None


def _weigh_stems(claim: Reading, evidence: Evidence) -> dict[str, float]:
    """How much each word counts that a claim says of its subject: the rarer, the more.

    A word of a number or name counts twice; the subject's own name does not.
    """
    first = subject_of(claim.text)
    names = (e.stems for e in claim.all_entities if e.kind == "name" and e.stems <= first)
    subject = presupposed(claim, evidence).union(*names, first if len(first) == 1 else ())
    named = frozenset[str]().union(*(entity.stems for entity in claim.entities))
    own = (stem for stem in claim.own_stems if stem not in subject)
    return {stem: evidence.idf(stem) * (2 if stem in named else 1) for stem in own}


def _share_of(weights: Mapping[str, float], bag: frozenset[str]) -> float:
    """The share of weighted words that some stems have, themselves or by a synonym."""
    have = sum(weight for stem, weight in weights.items() if stem in bag or is_like(stem, bag))
    return have / (sum(weights.values()) or 1)


def _reason_of(
    evidence: Evidence, finding: Finding, weights: VerifierWeights
) -> tuple[Reason, str]:
    """Why a claim without a sure verdict has none: spoken against, unspoken of, not understood."""
    if score_finding(finding, weights) >= SUPPORTED:
        return "not_understood", COULD_NOT_TELL
    if not _is_spoken_of(finding.claim, evidence):
        return "absent", "the documents do not say this"
    if refutation(finding) > LIKELY:
        return "contradicted", "the documents seem to say otherwise, but not surely"
    return "not_understood", COULD_NOT_TELL


def _is_spoken_of(claim: Reading, evidence: Evidence) -> bool:
    """Whether the strips that match a claim best have enough of what it says of its subject.

    Dates and numbers aside: a document that speaks of the claim may have others.
    """
    values = {s for e in claim.entities if e.kind != "name" for s in e.stems}
    weights = _weigh_stems(claim, evidence)
    others = {stem: weight for stem, weight in weights.items() if stem not in values} or weights
    best = (strip.bag for strip, _ in evidence.best(claim))
    return _share_of(others, frozenset[str]().union(*best)) > MENTIONED


def explain_refutation(claim: Reading, strip: Strip) -> str:
    """In what a claim differs from the strip that refutes it: a date, a number, a negation.

    >>> from errata.core.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> [strip] = split_strips(Document(text="The bridge opened in 1932."))
    >>> explain_refutation(Reading("The bridge opened in 1935."), strip)
    'the claim says 1935; the evidence says 1932'
    """
    ours, theirs = find_values(claim.text), find_values(strip.text)
    for kind in ("date", "quantity"):
        wrong = [v for v in ours if v.kind == kind and not has_value(v, theirs)]
        stated = [v for v in theirs if v.kind == kind and not has_value(v, ours)]
        if wrong and len(stated) == 1:
            return f"the claim says {wrong[0].text}; the evidence says {stated[0].text}"
    denied, denies = is_denial(strip.words, claim.bag), is_denial(claim.words, strip.bag)
    if denied and not denies:
        return "the evidence denies what the claim says"
    if denies and not denied:
        return "the evidence says what the claim denies"
    return "the evidence says otherwise"
