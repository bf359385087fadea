"""Labelled claims with their features: what the verifier is fitted on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.evals.claims import LabelledClaim, read_claims
from errata.evals.datasets import GENERATORS, Biography, read_biographies
from errata.tools.judges.cross_encoder import CrossEncoder, load_cross_encoder
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.logistic import Features
from errata.tools.judges.verifier import verifier_features
from errata.training.labelled_pairs import CLAIM_SETS
from errata.training.splits import fold_of

FACTSCORE = "factscore"
Encoders = Sequence[CrossEncoder]
"""Empty, or for each fold the cross-encoder that was not trained on it."""


@dataclass(frozen=True)
class Example:
    """A labelled claim and its features with one evidence."""

    features: Features
    supported: bool
    group: str
    """Examples of one group belong on the same side of a split."""
    source: str
    evidence: str = ""
    """FActScore's two evidences: `google` or `gold`."""
    generator: str = ""
    has_question: bool = False
    """Whether the features take the question into account."""


def load_encoders(folder: str) -> Encoders:
    """The cross-encoders that were trained without one fold each; none without a folder."""
    if not folder:
        return []
    return [load_cross_encoder(str(encoder_path(folder, fold))) for fold in (0, 1)]


def encoder_path(folder: str, fold: int) -> Path:
    """The file of the cross-encoder that was not trained on a fold."""
    return Path(folder).resolve() / f"without-{fold}.int8.onnx"


def read_examples(data: Path, encoders: Encoders) -> Iterator[Example]:
    """FActScore's facts and, with cross-encoders, also the claims of other sets."""
    for generator in GENERATORS:
        for biography in read_biographies(data / "factscore-bio", generator):
            encoder = _encoder_for(biography.entity.lower(), encoders)
            yield from _biography_examples(biography, encoder)
    for name in CLAIM_SETS if encoders else ():
        for claim in read_claims(data, name):
            yield _claim_example(name, claim, _encoder_for(claim.group, encoders))


def _encoder_for(group: str, encoders: Encoders) -> CrossEncoder | None:
    return encoders[fold_of(group)] if encoders else None


def _biography_examples(biography: Biography, encoder: CrossEncoder | None) -> Iterator[Example]:
    """Every fact of a draft with each evidence, with the question and without."""
    for name, documents in (("google", biography.google), ("gold", biography.gold)):
        evidence = collect_evidence(frozenset(), documents)
        for question in (biography.question, ""):
            claims = [read_claim(text, question) for text, _ in biography.facts]
            rows = verifier_features(claims, evidence, encoder)
            for features, (_, label) in zip(rows, biography.facts, strict=True):
                yield Example(
                    features=features,
                    supported=label,
                    group=biography.entity.lower(),
                    source=FACTSCORE,
                    evidence=name,
                    generator=biography.generator,
                    has_question=bool(question),
                )


def _claim_example(source: str, claim: LabelledClaim, encoder: CrossEncoder | None) -> Example:
    """One claim with its own evidence."""
    evidence = collect_evidence(frozenset(), claim.documents)
    [features] = verifier_features([read_claim(claim.claim, "")], evidence, encoder)
    return Example(features, claim.supported, claim.group, source)
