"""Paragraphs to make claims of, and what of documents a claim is shown with."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata.core.records import Document
from errata.evals.datasets.rows import read_rows
from errata.tools.judges.entailment import excerpt_for, join_strips
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence
from errata.training.pairs import is_reserved

WORDS = (25, 50, 100, 100, 130)
"""About how many words of evidence a claim is shown with; drawn anew for every pair."""


@dataclass(frozen=True)
class Passage:
    """A paragraph to make claims of."""

    group: str
    title: str
    text: str


def read_passages(data: Path) -> list[Passage]:
    """Paragraphs under CC BY-SA, Apache-2.0 or ODC-By, each once, in a fixed order."""
    paragraphs = ("squad/train_paragraphs", "extra/multilingual/tydi_goldp_paragraphs")
    claims = data / "extra" / "claim-evidence"
    rows = [
        (row["group"], row["title"] or "", row["text"])
        for name in paragraphs
        for row in read_rows(data / f"{name}.jsonl.gz")
        if row.get("lang", "en") == "en" and not is_reserved(row["group"])
    ]
    rows += [
        (row["group"], row["title"], " ".join([row["evidence"], *row["retrieved"]]))
        for row in read_rows(claims / "fm2_dev.jsonl.gz")
    ]
    rows += [
        (row["group"], row["title"], " ".join(row["sentences"]))
        for row in read_rows(claims / "scifact_train.jsonl.gz")
    ]
    rows += [
        (row["group"], "", row["passage"])
        for row in read_rows(data / "extra" / "retrieval" / "boolq_dev.jsonl.gz")
    ]
    return list({text: Passage(group, title, text) for group, title, text in rows}.values())


def index_texts(texts: Sequence[str], title: str = "") -> Evidence:
    """The evidence that some texts of one title make."""
    documents = [Document(id=f"d{i}", text=text, title=title) for i, text in enumerate(texts)]
    return collect_evidence(frozenset(), documents)


def draw_excerpt(claim: str, evidence: Evidence, random: Random) -> str:
    """The strips that match a claim best, about as many words as one of WORDS."""
    strips = excerpt_for(Reading(claim), evidence, random.choice(WORDS))
    return join_strips(strips, evidence)
