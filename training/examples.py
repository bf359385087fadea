"""Labelled claims with their features: what the verifier is fitted on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from errata.core.records import Document
from errata.evals.datasets import dataset_named
from errata.evals.datasets.claim_sets import read_claims
from errata.evals.datasets.drafts import BIOGRAPHIES, as_documents
from errata.evals.metrics.family import facts_of
from errata.tools.judges.cross_encoder import CrossEncoder, load_cross_encoder
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.findings import examine
from errata.tools.judges.logistic import Features
from errata.training.claim_sets import CLAIM_SETS, MEANING
from errata.training.everyday_pairs import EVERYDAY, SIDES, lines_of, read_everyday
from errata.training.pairs import SUPPORTED, UNSUPPORTED, Labels, is_watched
from errata.training.written_pairs import read_cases

FACTSCORE, WRITTEN = "factscore", "written"


@dataclass(frozen=True, kw_only=True)
class Example:
    """A labelled claim and its features with one evidence."""

    source: str
    group: str
    """Examples of one group belong on the same side of a split."""
    features: Features
    labels: Labels
    """The acceptable ones."""
    refuted: float
    """The probability that a strip about the same thing refutes the claim."""
    facts: tuple[str, str, bool] = ("", "", False)
    """Of FActScore's facts the generator, the evidence (`google` or `gold`), and whether the
    features take the question into account."""

    @property
    def supported(self) -> bool:
        """Whether the claim is supported."""
        return self.labels == SUPPORTED


def read_examples(data: Path, encoder: str, every: int = 1) -> Iterator[Example]:
    """FActScore's facts, and other sets' claims that the cross-encoder did not learn.

    The encoder is a shipped one by its name, or a file. Only one in `every` biographies is read.
    """
    judge = load_cross_encoder(encoder)
    for generator, dataset in BIOGRAPHIES.items():
        for item in islice(dataset_named(dataset).read(data).items, 0, None, every):
            facts = [(text, SUPPORTED if true else UNSUPPORTED) for text, true in facts_of(item)]
            person = item.gold["entity"]
            article = as_documents(item.gold["documents"], person)
            for name, documents in (("google", item.documents), ("gold", article)):
                for question in (item.question, ""):
                    yield from make_examples(
                        FACTSCORE,
                        person.lower(),
                        facts,
                        documents,
                        judge,
                        question=question,
                        facts=(generator, name, bool(question)),
                    )
    yield from _read_others(data, judge)
    yield from _read_everyday(data, judge)


def _read_others(data: Path, judge: CrossEncoder) -> Iterator[Example]:
    """Claims of other sets and written ones, of groups that are watched."""
    for name in CLAIM_SETS:
        for item in read_claims(data, name):
            if is_watched(item.group) and item.gold["label"] in MEANING:
                claims = [(item.draft, MEANING[item.gold["label"]])]
                yield from make_examples(name, item.group, claims, item.documents, judge)
    for case in read_cases(data):
        if is_watched(case.group):
            chosen = [c for c in case.claims if not case.changed or c.name in case.changed]
            claims = [(claim.text, claim.labels) for claim in chosen]
            documents = [Document(id=t, title=t, text=x) for t, x in case.documents]
            yield from make_examples(WRITTEN, case.group, claims, documents, judge)


def _read_everyday(data: Path, judge: CrossEncoder) -> Iterator[Example]:
    """Sentences of watched cases beside both versions of the document."""
    for row in read_everyday(data):
        if is_watched(group := f"{EVERYDAY} {row['id']}"):
            for side in SIDES:
                claims = [(line.text, line.labels[side]) for line in lines_of(row)]
                documents = [Document(text=row[side], title=row["title"])]
                yield from make_examples(EVERYDAY, group, claims, documents, judge)


def make_examples(
    source: str,
    group: str,
    claims: Sequence[tuple[str, Labels]],
    documents: Sequence[Document],
    encoder: CrossEncoder,
    *,
    question: str = "",
    facts: tuple[str, str, bool] = ("", "", False),
) -> Iterator[Example]:
    """What is known of some claims beside the same documents."""
    evidence = collect_evidence(frozenset(), documents)
    findings = examine([read_claim(text, question) for text, _ in claims], evidence, encoder)
    for finding, (_, labels) in zip(findings, claims, strict=True):
        yield Example(
            source=source,
            group=group,
            features=finding.features,
            labels=labels,
            refuted=finding.entailment.refuted,
            facts=facts,
        )
