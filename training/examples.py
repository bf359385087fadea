"""Labelled claims with their features: what the verifier is fitted on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from errata.core.records import Document
from errata.evals.datasets.biographies import GENERATORS, Biography, read_biographies
from errata.evals.datasets.claims import LabelledClaim, read_claims
from errata.tools.judges.cross_encoder import CrossEncoder, load_cross_encoder
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.findings import Finding, examine, refutation
from errata.tools.judges.logistic import Features
from errata.training.claim_sets import CLAIM_SETS, MEANING
from errata.training.pairs import SUPPORTED, Labels
from errata.training.plans import is_watched
from errata.training.twin_pairs import read_passages, twin_pairs
from errata.training.written_pairs import read_cases

FACTSCORE, RULES, WRITTEN = "factscore", "rules", "written"
RULE_EXAMPLES = 800
"""How many claims made by rule are used."""
SEED = 0


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
    labels: Labels = ()
    """The acceptable labels of a claim of another set."""
    refuted: float = 0.0
    """The probability that a strip about the same thing refutes the claim."""


def load_encoder(path: str) -> CrossEncoder | None:
    """A shipped cross-encoder by its name, or one in a file; none without either."""
    return load_cross_encoder(path) if path else None


def read_examples(data: Path, encoder: CrossEncoder | None, every: int = 1) -> Iterator[Example]:
    """FActScore's facts and, with a cross-encoder, other sets' claims that it did not learn.

    Only one in `every` biographies is read.
    """
    for generator in GENERATORS:
        for biography in islice(
            read_biographies(data / "factscore-bio", generator), 0, None, every
        ):
            yield from _biography_examples(biography, encoder)
    for name in CLAIM_SETS if encoder else ():
        for claim in read_claims(data, name):
            if is_watched(claim.group) and claim.label in MEANING:
                yield _claim_example(name, claim, encoder)
    if encoder:
        yield from written_examples(data, encoder)
        yield from rule_examples(data, encoder)


def written_examples(data: Path, encoder: CrossEncoder) -> Iterator[Example]:
    """Claims that capable writers made, beside documents that the encoder did not learn."""
    for case in read_cases(data):
        if is_watched(case.group):
            documents = [Document(id=t, title=t, text=x) for t, x in case.documents]
            chosen = [c for c in case.claims if not case.changed or c.name in case.changed]
            findings = find_all([claim.text for claim in chosen], "", documents, encoder)
            for claim, finding in zip(chosen, findings, strict=True):
                yield Example(
                    features=finding.features,
                    supported=claim.labels == SUPPORTED,
                    group=case.group,
                    source=WRITTEN,
                    labels=claim.labels,
                    refuted=refutation(finding),
                )


def rule_examples(data: Path, encoder: CrossEncoder) -> Iterator[Example]:
    """Claims made by rule, with true twins, of pages that the encoder did not learn."""
    passages = [passage for passage in read_passages(data) if is_watched(passage.group)]
    pairs = list(twin_pairs(passages, Random(SEED)))
    for pair in Random(SEED).sample(pairs, min(RULE_EXAMPLES, len(pairs))):
        documents = (Document(id="d1", text=pair.second),)
        yield _example(RULES, pair.group, pair.first, documents, pair.labels, encoder)


def _biography_examples(biography: Biography, encoder: CrossEncoder | None) -> Iterator[Example]:
    """Every fact of a draft with each evidence, with the question and without."""
    for name, documents in (("google", biography.google), ("gold", biography.gold)):
        for question in (biography.question, ""):
            texts = [text for text, _ in biography.facts]
            findings = find_all(texts, question, documents, encoder)
            for finding, (_, label) in zip(findings, biography.facts, strict=True):
                yield Example(
                    features=finding.features,
                    supported=label,
                    group=biography.entity.lower(),
                    source=FACTSCORE,
                    evidence=name,
                    generator=biography.generator,
                    has_question=bool(question),
                    refuted=refutation(finding),
                )


def find_all(
    texts: Sequence[str],
    question: str,
    documents: Sequence[Document],
    encoder: CrossEncoder | None,
) -> list[Finding]:
    """What is known of some claims beside the same documents."""
    evidence = collect_evidence(frozenset(), documents)
    return examine([read_claim(text, question) for text in texts], evidence, encoder)


def _claim_example(source: str, claim: LabelledClaim, encoder: CrossEncoder | None) -> Example:
    """One claim of a set with its own evidence."""
    labels = MEANING[claim.label]
    return _example(source, claim.group, claim.claim, claim.documents, labels, encoder)


def _example(
    source: str,
    group: str,
    claim: str,
    documents: Sequence[Document],
    labels: Labels,
    encoder: CrossEncoder | None,
) -> Example:
    [finding] = find_all([claim], "", documents, encoder)
    return Example(
        features=finding.features,
        supported=labels == SUPPORTED,
        group=group,
        source=source,
        labels=labels,
        refuted=refutation(finding),
    )
