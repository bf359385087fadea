"""RAC's correct role: one entity of a refuted claim replaced by the one in the evidence."""

import re
from collections.abc import Sequence

from errata.bounds import check_time, note_undone
from errata.records import Claim, Document, Fix
from errata.tools.judges.contradictions import find_contradictions, find_missing_entities
from errata.tools.judges.differences import compare
from errata.tools.judges.entailment import best_strips
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    read_claim,
    read_evidence,
)
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    VerifierWeights,
    examine_by,
    is_refuted,
    read_verifier_weights,
    score_finding,
)
from errata.tools.judges.pairs import Difference
from errata.tools.local.mend import mend
from errata.tools.text.entities import write_like

_SINGLE = re.compile(r"(?:one|1)\b", re.IGNORECASE)
MENDED_CLAIMS = 50
"""How many claims are mended word by word, each of which takes some 20 readings."""


def correct(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Fix]:
    """Fixes that each replace one thing of a claim: a date, a number, a name, a word.

    Precision comes first: a claim is fixed only if its probability is below one half, and all
    contradicting evidence states the same in place of one entity that is missing from it, or of
    one difference that can be told exactly.
    """
    evidence = read_evidence(question, claims, documents)
    readings = [read_claim(claim.text, question) for claim in claims]
    model = read_verifier_weights(weights)
    findings = examine_by(model, readings, evidence)
    fixes, unmended = list[Fix](), list[tuple[Claim, Reading, Finding]]()
    for claim, reading, finding in zip(claims, readings, findings, strict=True):
        is_settled = finding.disputes or finding.held or finding.denied
        if is_settled or score_finding(finding, model) >= SUPPORTED:
            continue
        fix = _replace_entity(claim, reading, evidence)
        fix = fix or _replace_difference(claim, reading, finding.differences)
        if fix and is_sound(fix.text, reading, evidence):
            fixes.append(fix)
        elif finding.differences or is_refuted(finding, model):
            unmended.append((claim, reading, finding))
    if len(unmended) > MENDED_CLAIMS:
        note_undone(f"only {MENDED_CLAIMS} of {len(unmended)} claims were mended word by word")
    mended = (_mend(*each, evidence, model) for each in unmended[:MENDED_CLAIMS])
    order = {claim.id: number for number, claim in enumerate(claims)}
    return sorted([*fixes, *filter(None, mended)], key=lambda fix: order[fix.claim])


def is_sound(text: str, claim: Reading, evidence: Evidence) -> bool:
    """Whether a claim's new text differs from no strip and says nothing twice that it did not."""
    new = Reading(text, claim.topic, claim.question_entity)
    says_twice = _count_repeats(new) > _count_repeats(claim)
    return not (says_twice or compare(new, evidence).differences)


def _count_repeats(claim: Reading) -> int:
    stems = [word.stem for word in claim.content_words]
    return len(stems) - len(set(stems))


def _replace_entity(claim: Claim, reading: Reading, evidence: Evidence) -> Fix | None:
    check_time()
    missing = find_missing_entities(reading, evidence)
    if len(missing) != 1:
        return None
    entity = missing[0]
    contradictions = list(find_contradictions(entity, reading, evidence))
    if len({contradiction.stated.key for contradiction in contradictions}) != 1:
        return None
    first = contradictions[0]
    replacement = write_like(first.stated, entity)
    return Fix(
        claim=claim.id,
        text=reading.text[: entity.start] + replacement + reading.text[entity.end :],
        evidence=(first.strip.quote,),
        explanation=f"the draft says {entity.text}; the evidence says {replacement}",
    )


def _replace_difference(
    claim: Claim, reading: Reading, differences: Sequence[Difference]
) -> Fix | None:
    """The claim with what a strip says in place of what differs; None unless all strips agree."""
    if len({(d.claimed, d.replacement) for d in differences}) != 1:
        return None
    first = differences[0]
    is_countable = bool(_SINGLE.match(first.claimed)) == bool(_SINGLE.match(first.replacement))
    if not first.replacement or not is_countable:
        return None
    places = list(re.finditer(rf"\b{re.escape(first.claimed)}(?!\w)", reading.text, re.IGNORECASE))
    if len(places) != 1:
        return None
    start, end = places[0].span()
    return Fix(
        claim=claim.id,
        text=reading.text[:start] + first.replacement + reading.text[end:],
        evidence=(first.strip.quote,),
        explanation=f"the draft says {first.claimed}; the evidence says {first.replacement}",
    )


def _mend(
    claim: Claim, reading: Reading, finding: Finding, evidence: Evidence, model: VerifierWeights
) -> Fix | None:
    """The claim as the mender has it, with the strip that supports the new claim."""
    mended = mend(reading, finding, evidence, model)
    if mended is None or not is_sound(mended.text, reading, evidence):
        return None
    strip = best_strips(Reading(mended.text, reading.topic), evidence, 1)[0]
    return Fix(
        claim=claim.id,
        text=mended.text,
        evidence=(strip.quote,),
        explanation=f"the draft says {mended.claimed}; the evidence says {mended.stated}",
    )
