"""RAC's correct role: one entity of a refuted claim replaced by the one in the evidence."""

from collections.abc import Sequence

from errata.bounds import check_time
from errata.records import Claim, Document, Fix
from errata.tools.judges.contradictions import find_contradictions, find_missing_entities
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.judges.verifier import (
    SUPPORTED,
    read_verifier_weights,
    support_probabilities,
)
from errata.tools.text.entities import MONTHS, Entity
from errata.tools.text.questions import topic_stems


def correct(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Fix]:
    """Fixes that each replace one date, year, number or name of a claim.

    Precision comes first: a claim is fixed only if its probability is below one half, exactly one
    of its entities is missing from the evidence, and all contradicting evidence states the same
    other entity.
    """
    evidence = collect_evidence(topic_stems(question), documents)
    readings = [read_claim(claim.text, question) for claim in claims]
    probabilities = support_probabilities(readings, evidence, read_verifier_weights(weights))
    fixes = (
        _replace_entity(claim, reading, evidence)
        for claim, reading, probability in zip(claims, readings, probabilities, strict=True)
        if probability < SUPPORTED
    )
    return [fix for fix in fixes if fix]


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
    replacement = _format_like(first.stated, entity)
    return Fix(
        claim=claim.id,
        text=reading.text[: entity.start] + replacement + reading.text[entity.end :],
        evidence=(first.strip.quote,),
        explanation=f"the draft says {entity.text}; the evidence says {replacement}",
    )


def _format_like(entity: Entity, original: Entity) -> str:
    """An entity's text; a full date with month and day in the order of the original's."""
    if entity.kind != "date" or "?" in entity.key:
        return entity.text
    year, month, day = entity.key.split("-")
    name = MONTHS[int(month) - 1]
    return f"{name} {day}, {year}" if original.text[0].isalpha() else f"{day} {name} {year}"
