"""PopQA's questions with the three passages that a dense retriever really found."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from errata.core.records import Document
from errata.evals.datasets.crag_files import deal, snippets
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.datasets.sources import SHARED, Source, beside, read_any
from errata.evals.items import Dataset, Item


def _ours(rows: Sequence[Row], file: Path) -> list[Item]:
    return [
        Item(
            id=row["id"],
            question=row["question"],
            documents=tuple(
                Document(text=found["text"], title=found["title"])
                for found in row["searches"][0]["docs"]
            ),
            web=web,
            gold={"answers": row["answers"]},
            category=row["prop"],
            group=row["group"],
        )
        for row, web in zip(rows, _web(file, len(rows)), strict=True)
    ]


def _web(file: Path, count: int) -> list[tuple[Document, ...]]:
    """The web of the long tail, dealt out: a search for these questions left none."""
    path = beside(file, "popqa/longtail_test.jsonl.gz")
    pages = [snippets(row["ref_incorrect"]) for row in read_rows(path)] if path else []
    return deal(pages, count)


SOURCES = (
    Source(
        path="retrieval-e5/popqa.jsonl.gz",
        rows=339,
        where=f"{SHARED}; made from GaurisankarJ/reason_over_search",
        fields=("id", "group", "question", "answers", "prop", "searches"),
        items=_ours,
    ),
)
DATASET = Dataset(
    name="popqa-e5",
    description="PopQA of all popularities with E5's top three of Wikipedia (2018); no licence",
    read=partial(read_any, "popqa-e5", SOURCES),
    scorers=("match", "cost"),
)
"""Gold: `answers`, the accepted ones."""
