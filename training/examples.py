"""Labelled claims as features: what the verifier is fitted on, with or without a cross-encoder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.evals.claims import LabelledClaim, read_claims
from errata.evals.datasets import GENERATORS, Biography, read_biographies
from errata.tools.judges.cross_encoder import CrossEncoder, cross_encoder
from errata.tools.judges.features import Features
from errata.tools.judges.logistic import describe
from errata.tools.judges.verifier import evidence_for, read_claim
from errata.training.pairs import HUMAN, half

FACTS = "factscore"
Encoders = Sequence[CrossEncoder]
"""None, or one for each half of the groups: the one that has not read that half."""


@dataclass(frozen=True)
class Example:
    """Hold one labelled claim beside one evidence."""

    features: Features
    supported: bool
    group: str
    """What stays on one side of a split."""
    source: str
    evidence: str = ""
    """Which of FActScore's two evidences it is."""
    generator: str = ""
    asked: bool = False
    """Whether the verifier was told the question."""


def encoders_of(folder: str) -> Encoders:
    """Open the cross-encoders of a training folder that have read one half of the groups each."""
    if not folder:
        return []
    return [cross_encoder(str(encoder_of(folder, fold))) for fold in (0, 1)]


def encoder_of(folder: str, fold: int) -> Path:
    """Name the cross-encoder that has not read one half of the groups."""
    return Path(folder).resolve() / f"without-{fold}.int8.onnx"


def examples(data: Path, encoders: Encoders) -> Iterator[Example]:
    """Describe FActScore's facts, and the other people's labels where a cross-encoder reads."""
    for generator in GENERATORS:
        for biography in read_biographies(data / "factscore-bio", generator):
            yield from of_biography(biography, _unread(biography.entity.lower(), encoders))
    for name in HUMAN if encoders else ():
        for claim in read_claims(data, name):
            yield of_claim(name, claim, _unread(claim.group, encoders))


def _unread(group: str, encoders: Encoders) -> CrossEncoder | None:
    return encoders[half(group)] if encoders else None


def of_biography(biography: Biography, encoder: CrossEncoder | None) -> Iterator[Example]:
    """Describe every fact of a draft beside each evidence, with the question and without."""
    for name, documents in (("google", biography.google), ("gold", biography.gold)):
        evidence = evidence_for(frozenset(), documents)
        for question in (biography.question, ""):
            claims = [read_claim(text, question) for text, _ in biography.facts]
            seen = describe(claims, evidence, encoder)
            for values, (_, label) in zip(seen, biography.facts, strict=True):
                yield Example(
                    values,
                    label,
                    biography.entity.lower(),
                    FACTS,
                    name,
                    biography.generator,
                    bool(question),
                )


def of_claim(source: str, claim: LabelledClaim, encoder: CrossEncoder | None) -> Example:
    """Describe one claim beside its own evidence."""
    evidence = evidence_for(frozenset(), claim.documents)
    [values] = describe([read_claim(claim.claim, "")], evidence, encoder)
    return Example(values, claim.supported, claim.group, source)
