"""Human-labelled data, read from a folder of gzipped JSON lines."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.records import Document

GENERATORS = ("chatgpt", "instructgpt", "perplexityai")
Row = dict[str, Any]


@dataclass(frozen=True)
class Biography:
    """Hold one draft of FActScore's biographies with its labelled facts and two evidences."""

    generator: str
    entity: str
    question: str
    draft: str
    facts: tuple[tuple[str, bool], ...]
    """Each fact with True where people found Wikipedia to support it."""
    google: tuple[Document, ...]
    """The web page found by a search engine."""
    gold: tuple[Document, ...]
    """The Wikipedia article, in passages."""


def read_rows(path: Path) -> Iterator[Row]:
    """Read one gzipped JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_biographies(folder: Path, generator: str) -> Iterator[Biography]:
    """Read the labelled biographies of one generator from `factscore-bio`."""
    evidence = {row["entity"]: row for row in read_rows(folder / "evidence.jsonl.gz")}
    for row in read_rows(folder / f"{generator}.jsonl.gz"):
        pages = row if "google_page" in row else evidence[row["entity"]]
        yield Biography(
            generator=generator,
            entity=row["entity"],
            question=row["prompt"],
            draft=row["response"],
            facts=tuple((fact["text"], fact["label"]) for fact in row["facts"]),
            google=_documents([pages["google_page"]], row["entity"]),
            gold=_documents(pages["gold_passages"], row["entity"]),
        )


def _documents(texts: list[str], title: str) -> tuple[Document, ...]:
    return tuple(
        Document(id=f"d{i}", text=text, title=title) for i, text in enumerate(texts, start=1)
    )


@dataclass(frozen=True)
class Pair:
    """Hold a question beside a titled text, with whether the text is relevant to it."""

    group: str
    """What is kept on one side of a split."""
    question: str
    title: str
    text: str
    relevant: bool


def read_squad_pairs(questions: Path, paragraphs: Path, *, others: int = 1) -> Iterator[Pair]:
    """Pair questions with their own paragraph, two of the same article, and some of others."""
    texts = {row["id"]: row for row in read_rows(paragraphs)}
    for row in read_rows(questions):
        wrong = [*row["neg_same_article"], *row["neg_other_article"][:others]]
        for name in [row["paragraph_id"], *wrong]:
            if name in texts:
                own = name == row["paragraph_id"]
                title, text = texts[name]["title"], texts[name]["text"]
                yield Pair(row["group"], row["question"], title, text, own)


def read_selqa_pairs(path: Path) -> Iterator[Pair]:
    """Pair questions with every sentence of a section; those that answer are relevant."""
    for row in read_rows(path):
        for place, sentence in enumerate(row["sentences"]):
            relevant = place in row["relevant"]
            yield Pair(row["group"], row["question"], row["title"], sentence, relevant)


def read_search_pairs(path: Path) -> Iterator[Pair]:
    """Pair questions with what a search gave; what contains an accepted answer is relevant."""
    for row in read_rows(path):
        found = {d["text"]: d for search in row["searches"] for d in search["docs"]}
        for doc in found.values():
            title, text, relevant = doc["title"], doc["text"], doc["has_answer"]
            yield Pair(row["group"], row["question"], title, text, relevant)


def read_subject_pairs(path: Path) -> Iterator[Pair]:
    """Pair questions with what a search gave; the page of the question's subject is relevant.

    That is what CRAG's evaluator was trained and measured on (section 4.2).
    """
    for row in read_rows(path):
        found = {d["text"]: d for search in row["searches"] for d in search["docs"]}
        for doc in found.values():
            own = doc["title"].lower() == row["subj_wiki_title"].lower()
            yield Pair(row["group"], row["question"], doc["title"], doc["text"], own)


def read_biography_pairs(path: Path) -> Iterator[Pair]:
    """Pair "Who is X?" with retrieved passages; those under X's own title are relevant."""
    for row in read_rows(path):
        for passage in row["passages"]:
            own = passage["title"].lower() == row["entity"].lower()
            yield Pair(row["group"], row["question"], passage["title"], passage["text"], own)
