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


def rows(path: Path) -> Iterator[Row]:
    """Read one gzipped JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def biographies(folder: Path, generator: str) -> Iterator[Biography]:
    """Read the labelled biographies of one generator from `factscore-bio`."""
    evidence = {row["entity"]: row for row in rows(folder / "evidence.jsonl.gz")}
    for row in rows(folder / f"{generator}.jsonl.gz"):
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
