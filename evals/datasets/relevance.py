"""Readers of questions beside texts that are relevant to them or not."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.evals.datasets.rows import Row, read_rows


@dataclass(frozen=True)
class RelevancePair:
    """A question, a titled text, and whether the text is relevant to the question."""

    group: str
    """Pairs of one group belong on the same side of a train/test split."""
    question: str
    title: str
    text: str
    relevant: bool


def read_squad_pairs(
    questions: Path, paragraphs: Path, *, others: int = 1
) -> Iterator[RelevancePair]:
    """Each question with its own paragraph, with wrong ones of its article, and of `others`."""
    texts = {row["id"]: row for row in read_rows(paragraphs)}
    for row in read_rows(questions):
        wrong = [*row["neg_same_article"], *row["neg_other_article"][:others]]
        for name in [row["paragraph_id"], *wrong]:
            if name in texts:
                yield _pair(row, texts[name], name == row["paragraph_id"])


def read_selqa_pairs(path: Path) -> Iterator[RelevancePair]:
    """Each question with every sentence of a section; the sentences that answer are relevant."""
    for row in read_rows(path):
        for place, sentence in enumerate(row["sentences"]):
            page = {"title": row["title"], "text": sentence}
            yield _pair(row, page, place in row["relevant"])


def read_search_pairs(path: Path) -> Iterator[RelevancePair]:
    """Each question with its search results; those that contain an accepted answer are relevant."""
    for row in read_rows(path):
        for doc in passages_of(row):
            yield _pair(row, doc, doc["has_answer"])


def passages_of(row: Row) -> list[Row]:
    """What was retrieved for a question; of several searches each text once."""
    if "passages" in row:
        return list(row["passages"])
    return list({doc["text"]: doc for search in row["searches"] for doc in search["docs"]}.values())


def _pair(row: Row, page: Row, relevant: bool) -> RelevancePair:
    return RelevancePair(row["group"], row["question"], page["title"], page["text"], relevant)
