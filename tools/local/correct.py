"""The local filler of RAC's correct role: the smallest substitution that the evidence supports."""

from collections.abc import Sequence

from errata.records import Claim, Document, Fix
from errata.tools.judges.contradictions import find_contradictions, missing_entities
from errata.tools.judges.features import Evidence, Reading
from errata.tools.judges.logistic import SUPPORTED, read_weights, support_probabilities
from errata.tools.judges.verifier import evidence_for, read_claim, topic_stems
from errata.tools.text.entities import MONTHS, Entity


def correct(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Fix]:
    """Substitute one date, year, number or name a claim where the evidence has another.

    Prefers silence: a claim is left alone unless it is judged false, exactly one of its spans
    stands in no document, and all evidence that speaks of the same thing agrees on another.
    """
    evidence = evidence_for(topic_stems(question), documents)
    read = [read_claim(claim.text, question) for claim in claims]
    found = support_probabilities(read, evidence, read_weights(weights))
    fixes = (
        _substitute(claim, one, evidence)
        for claim, one, probability in zip(claims, read, found, strict=True)
        if probability < SUPPORTED
    )
    return [fix for fix in fixes if fix]


def _substitute(claim: Claim, reading: Reading, evidence: Evidence) -> Fix | None:
    missing = missing_entities(reading, evidence)
    if len(missing) != 1:
        return None
    span = missing[0]
    found = list(find_contradictions(span, reading, evidence))
    if len({rival.span.key for rival in found}) != 1:
        return None
    other, quote = _written(found[0].span, span), found[0].strip.quote
    text = reading.text[: span.start] + other + reading.text[span.end :]
    said = f"the draft says {span.text}; the evidence says {other}"
    return Fix(claim=claim.id, text=text, evidence=(quote,), explanation=said)


def _written(other: Entity, span: Entity) -> str:
    """Write a full date in the order of the one it replaces, and anything else as it stands."""
    if other.kind != "date" or "?" in other.key:
        return other.text
    year, month, day = other.key.split("-")
    name = MONTHS[int(month) - 1]
    return f"{name} {day}, {year}" if span.text[0].isalpha() else f"{day} {name} {year}"
