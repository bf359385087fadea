"""FActScore's biographies in our form, with labelled facts and evidence from two sources."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_rows

GENERATORS = ("chatgpt", "instructgpt", "perplexityai")
"""The models whose biographies FActScore labels."""


@dataclass(frozen=True)
class Biography:
    """A draft of FActScore with its labelled facts and evidence from two sources."""

    generator: str
    entity: str
    question: str
    draft: str
    facts: tuple[tuple[str, bool], ...]
    """Each atomic fact, and whether Wikipedia supports it according to annotators."""
    google: tuple[Document, ...]
    """The web page that a search engine ranked first."""
    gold: tuple[Document, ...]
    """The Wikipedia article, in passages."""


def read_biographies(folder: Path, generator: str) -> Iterator[Biography]:
    """The labelled biographies of one generator, from the folder `factscore-bio`."""
    rows = read_rows(folder / f"{generator}.jsonl.gz")
    for row, pages in with_evidence(rows, folder):
        yield Biography(
            generator=generator,
            entity=row["entity"],
            question=row["prompt"],
            draft=row["response"],
            facts=tuple((fact["text"], fact["label"]) for fact in row["facts"]),
            google=as_documents([pages["google_page"]], row["entity"]),
            gold=as_documents(pages["gold_passages"], row["entity"]),
        )


def with_evidence(rows: Iterable[Row], folder: Path) -> Iterator[tuple[Row, Row]]:
    """Each row, and the row that has its evidence: itself or one of the folder's own file."""
    evidence = {row["entity"]: row for row in read_rows(folder / "evidence.jsonl.gz")}
    for row in rows:
        yield row, row if "google_page" in row else evidence[row["entity"]]


def as_documents(texts: Sequence[str], title: str) -> tuple[Document, ...]:
    """Numbered documents of one title."""
    return tuple(
        Document(id=f"d{place}", text=text, title=title) for place, text in enumerate(texts, 1)
    )
