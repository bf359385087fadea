"""Pairs of a question and a text that answers it or does not, from sets that people made."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from errata.evals.datasets.relevance import read_selqa_pairs
from errata.evals.datasets.rows import read_rows
from errata.tools.judges.entailment import evidence_text
from errata.tools.judges.evidence import Reading
from errata.training.excerpts import index_texts
from errata.training.pairs import IRRELEVANT, RELEVANT, Labels, Pair
from errata.training.splits import is_reserved

IRRELEVANT_SHARE = 0.25
"""The share of a section's sentences without the answer that is used."""
STRIPS = 3
"""How many strips a question is shown with."""


def relevance_pairs(data: Path, random: Random) -> Iterator[Pair]:
    """SelQA's sections, TyDi's English passages and BoolQ's paragraphs, with wrong ones."""
    yield from section_pairs(data / "selqa" / "dev.jsonl.gz", random)
    yield from passage_pairs(data / "extra" / "multilingual", random)
    yield from paragraph_pairs(data / "extra" / "retrieval" / "boolq_dev.jsonl.gz", random)


def section_pairs(path: Path, random: Random) -> Iterator[Pair]:
    """SelQA's questions with the sentences that answer, and with some that do not."""
    for pair in read_selqa_pairs(path):
        if is_reserved(pair.group):
            continue
        if pair.relevant or random.random() < IRRELEVANT_SHARE:
            second = f"{pair.title}. {pair.text}"
            labels = RELEVANT if pair.relevant else IRRELEVANT
            yield Pair(pair.group, "selqa", pair.question, second, labels)


def passage_pairs(folder: Path, random: Random) -> Iterator[Pair]:
    """TyDi's questions in English with their passages, and with passages on something else."""
    rows = read_rows(folder / "tydi_goldp_paragraphs.jsonl.gz")
    texts = {row["id"]: (row["title"] or "", row["text"]) for row in rows if row["lang"] == "en"}
    for row in read_rows(folder / "tydi_goldp_questions.jsonl.gz"):
        if row["lang"] == "en":
            others = [name for name in row["neg_other_article"] if name in texts]
            yield _pair(row["group"], "tydi", row["question"], texts[row["paragraph_id"]], RELEVANT)
            for name in random.sample(others, min(1, len(others))):
                yield _pair(row["group"], "tydi", row["question"], texts[name], IRRELEVANT)


def paragraph_pairs(path: Path, random: Random) -> Iterator[Pair]:
    """BoolQ's questions with their paragraphs, and with another question's."""
    rows = list(read_rows(path))
    for row in rows:
        other = random.choice(rows)
        yield _pair(row["group"], "boolq", row["question"], ("", row["passage"]), RELEVANT)
        if other["passage"] != row["passage"]:
            yield _pair(row["group"], "boolq", row["question"], ("", other["passage"]), IRRELEVANT)


def _pair(group: str, source: str, question: str, text: tuple[str, str], labels: Labels) -> Pair:
    title, body = text
    best = evidence_text(Reading(question), index_texts([body]), STRIPS)
    return Pair(group, source, question, f"{title}. {best}" if title else best, labels)
