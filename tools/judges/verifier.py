"""The local verifier (RAC's verify role): logistic regression over lexical and neural features."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

from errata.bounds import check_time, note_undone
from errata.errors import OutOfTimeError
from errata.records import Claim, Document, Verdict, VerdictLabel
from errata.tools.judges.contradictions import find_contradictions, find_missing_entities
from errata.tools.judges.cross_encoder import CrossEncoder, load_cross_encoder
from errata.tools.judges.entailment import ENTAILMENT_FEATURES, entailment_features
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.judges.features import lexical_features
from errata.tools.judges.logistic import Features, Weights, read_weights
from errata.tools.text.questions import topic_stems
from errata.tools.text.strips import Strip
from errata.tools.text.words import split_words

SUPPORTED = 0.5
"""The probability from which on a claim is more likely supported than not."""
CLAIMS_AT_ONCE = 256
"""How many claims are judged together; where the time runs out, those before them are judged."""
NO_EVIDENCE = 0.0
"""The score where there is no evidence."""


@dataclass(frozen=True, kw_only=True)
class VerifierWeights(Weights):
    """The fitted verifier, as `errata.training.verifier` writes it."""

    CROSS_ENCODER_FEATURES: ClassVar[tuple[str, ...]] = ENTAILMENT_FEATURES

    sure: float = SUPPORTED
    """The probability that a label needs; below it the verifier abstains."""
    cross_encoder: str = ""
    """The cross-encoder's file; empty for the shipped one."""


@cache
def read_verifier_weights(path: str = "") -> VerifierWeights:
    """The shipped weights, `lexical`, or a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    lexical = lexical_features(Reading("x"), Evidence([]))
    return read_weights(VerifierWeights, "verifier", path, lexical)


def verifier_features(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder | None
) -> list[Features]:
    """The features of claims with the same evidence; without an encoder only lexical ones."""
    lexical = [_lexical(claim, evidence) for claim in claims]
    if encoder is None:
        return lexical
    neural = entailment_features(claims, evidence, encoder)
    return [ours | theirs for ours, theirs in zip(lexical, neural, strict=True)]


def _lexical(claim: Reading, evidence: Evidence) -> Features:
    check_time()
    return lexical_features(claim, evidence)


def support_probabilities(
    claims: Sequence[Reading], evidence: Evidence, weights: VerifierWeights
) -> list[float]:
    """The probability that each claim is supported, assuming a balanced prior."""
    encoder = load_cross_encoder(weights.cross_encoder) if weights.neural else None
    return [weights.probability(row) for row in verifier_features(claims, evidence, encoder)]


def verify(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Verdict]:
    """A verdict on each claim; `weights` is empty (shipped), `lexical`, or a file from training.

    `score` is the probability in [0, 1] that the claim is supported, assuming a balanced prior. A
    claim is supported if its score is at least the weights' `sure`; refuted if its score is below
    one half and the evidence states another entity in place of one of the claim's; and otherwise
    not mentioned. Claims that no time is left for are unchecked.
    """
    verdicts = list[Verdict]()
    try:
        evidence = collect_evidence(topic_stems(question), documents)
        for first in range(0, len(claims), CLAIMS_AT_ONCE):
            part = claims[first : first + CLAIMS_AT_ONCE]
            verdicts += _judge_claims(question, part, evidence, read_verifier_weights(weights))
    except OutOfTimeError as error:
        rest = claims[len(verdicts) :]
        note_undone(f"{len(rest)} claims were not checked: {error}")
        verdicts += [Verdict(claim=c.id, label="unchecked", explanation=str(error)) for c in rest]
    return verdicts


def attach_quotes(
    claims: Sequence[Claim], verdicts: Sequence[Verdict], documents: Sequence[Document]
) -> list[Verdict]:
    """A model's verdicts, each with the closest strip as its evidence."""
    evidence = collect_evidence(frozenset(), documents)
    readings = {claim.id: Reading(claim.text) for claim in claims}
    return [
        replace(verdict, evidence=(strip.quote,))
        if verdict.label in ("supported", "refuted")
        and (strip := _closest_strip(readings[verdict.claim], evidence))
        else verdict
        for verdict in verdicts
    ]


def _judge_claims(
    question: str, claims: Sequence[Claim], evidence: Evidence, model: VerifierWeights
) -> list[Verdict]:
    readings = [read_claim(claim.text, question) for claim in claims]
    probabilities = support_probabilities(readings, evidence, model)
    return [
        _judge(claim.id, reading, evidence, probability, model.sure)
        for claim, reading, probability in zip(claims, readings, probabilities, strict=True)
    ]


def _judge(
    claim_id: str, claim: Reading, evidence: Evidence, probability: float, sure: float
) -> Verdict:
    """The verdict on one claim; a claim without a content word stays unchecked."""
    if not any(word.is_content for word in split_words(claim.text)):
        explanation = "the claim says nothing that could be looked up"
        return Verdict(claim=claim_id, label="unchecked", explanation=explanation)
    if not evidence.strips:
        explanation = "there is no document to judge by"
        return Verdict(
            claim=claim_id, label="not_mentioned", score=NO_EVIDENCE, explanation=explanation
        )
    label, strip, explanation = _choose_label(claim, evidence, probability, sure)
    return Verdict(
        claim=claim_id,
        label=label,
        score=round(probability, 4),
        evidence=(strip.quote,) if strip else (),
        explanation=explanation,
    )


def _choose_label(
    claim: Reading, evidence: Evidence, probability: float, sure: float
) -> tuple[VerdictLabel, Strip | None, str]:
    """The label, the strip that it rests on, and the explanation."""
    closest = _closest_strip(claim, evidence)
    if probability >= max(SUPPORTED, sure) and closest:
        return "supported", closest, ""
    contradictions = (
        contradiction
        for entity in find_missing_entities(claim, evidence)
        for contradiction in find_contradictions(entity, claim, evidence)
    )
    first = next(contradictions, None) if probability < SUPPORTED else None
    if first:
        explanation = f"the claim says {first.claimed.text}; the evidence says {first.stated.text}"
        return "refuted", first.strip, explanation
    if probability > 1 - sure:
        return "not_mentioned", None, "the documents leave open whether this is so"
    return "not_mentioned", None, "the documents do not say this"


def _closest_strip(claim: Reading, evidence: Evidence) -> Strip | None:
    """The strip with most of the claim's own stems; None where none shares a word with it."""

    def share(strip: Strip) -> float:
        return sum(stem in strip.bag for stem in claim.own_stems) / (len(claim.own_stems) or 1)

    return max((strip for strip, _ in evidence.best(claim)), key=share, default=None)
