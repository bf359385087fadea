"""The cross-encoder's second stage: pairs that people labelled."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from errata.evals.claims import LabelledClaim, read_claims
from errata.evals.datasets import GENERATORS, Biography, read_biographies, read_selqa_pairs
from errata.tools.judges.entailment import name_entity
from errata.tools.judges.evidence import Evidence
from errata.tools.text.questions import question_entity
from errata.training.pairs import (
    IRRELEVANT,
    NOT_MENTIONED,
    REFUTED,
    RELEVANT,
    SUPPORTED,
    UNSUPPORTED,
    Labels,
    Pair,
    draw_excerpt,
    index_texts,
)
from errata.training.splits import is_reserved
from errata.training.swaps import collect_entities, swap_entity

IRRELEVANT_SHARE = 0.25
"""The share of a section's sentences without the answer that is used."""
SWAP_EVERY = 3
"""In each epoch one in so many of a draft's facts is also swapped, if it is supported."""
MEANING: dict[str, Labels] = {"supported": SUPPORTED, "refuted": REFUTED, "nei": NOT_MENTIONED}
"""What the sets' labels mean; any other label means not supported."""
CLAIM_SETS = {
    "fact-verification/fever_symmetric_dev": 2,
    "fact-verification/begin_dev_wow": 2,
    "fact-verification/begin_dev_cmu": 1,
    "fact-verification/begin_dev_tc": 1,
    "fact-verification/expertqa": 1,
    "wice/claims_dev": 2,
    "wice/oracle_chunks_dev": 1,
}
"""Sets of labelled claims, and how often each is used in an epoch."""


def labelled_pairs(data: Path, random: Random, epoch: int) -> list[Pair]:
    """All pairs of one epoch of the second stage."""
    pairs = list(fact_pairs(data / "factscore-bio", random, epoch))
    for name, times in CLAIM_SETS.items():
        for claim in read_claims(data, name):
            pairs += [_claim_pair(name, claim, random)] * times
    return [*pairs, *section_pairs(data / "selqa" / "dev.jsonl.gz", random)]


def fact_pairs(folder: Path, random: Random, epoch: int) -> Iterator[Pair]:
    """FActScore's facts, alternately with the web page and the article, and some swapped."""
    for generator in GENERATORS:
        for biography in read_biographies(folder, generator):
            sources = (biography.google, biography.gold)
            evidence = [index_texts([d.text for d in documents]) for documents in sources]
            pool = collect_entities(text for text, _ in biography.facts)
            for place, (fact, label) in enumerate(biography.facts):
                own = evidence[(place + epoch) % 2]
                yield _fact_pair(biography, fact, own, label, random)
                if label and place % SWAP_EVERY == epoch % SWAP_EVERY:
                    wrong = swap_entity(fact, _known_keys(evidence), pool, random)
                    if wrong:
                        yield _fact_pair(biography, wrong, own, False, random)


def _known_keys(evidence: Sequence[Evidence]) -> frozenset[str]:
    return frozenset(e.key for one in evidence for strip in one.strips for e in strip.entities)


def _fact_pair(
    biography: Biography, fact: str, evidence: Evidence, label: bool, random: Random
) -> Pair:
    return Pair(
        group=biography.entity.lower(),
        source="factscore",
        first=name_entity(fact, question_entity(biography.question)),
        second=draw_excerpt(fact, evidence, random),
        labels=SUPPORTED if label else UNSUPPORTED,
    )


def _claim_pair(source: str, claim: LabelledClaim, random: Random) -> Pair:
    evidence = index_texts([document.text for document in claim.documents])
    second = draw_excerpt(claim.claim, evidence, random)
    return Pair(claim.group, source, claim.claim, second, MEANING.get(claim.label, UNSUPPORTED))


def section_pairs(path: Path, random: Random) -> Iterator[Pair]:
    """SelQA's questions with the sentences that answer, and with some that do not."""
    for pair in read_selqa_pairs(path):
        if is_reserved(pair.group):
            continue
        if pair.relevant or random.random() < IRRELEVANT_SHARE:
            second = f"{pair.title}. {pair.text}"
            labels = RELEVANT if pair.relevant else IRRELEVANT
            yield Pair(pair.group, "selqa", pair.question, second, labels)
