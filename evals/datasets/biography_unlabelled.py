"""People to write about, without labels: the Biography set of CRAG and Self-RAG.

Gold: `entity`, the person; an answer is scored by finding its facts in Wikipedia.
"""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.crag_files import (
    CRAG,
    SELF_RAG,
    contexts,
    read_web,
    retrieved,
    snippets,
)
from errata.evals.datasets.rows import Row, read_lines
from errata.evals.datasets.sources import SHARED, Source, read_any
from errata.evals.items import Dataset, Item

_PERSON = re.compile(r"Who is (.+)\?")
_PASSAGES = "retrieved_psgs"


def _item(
    place: int,
    entity: str,
    question: str,
    documents: tuple[Document, ...] = (),
    web: tuple[Document, ...] = (),
) -> Item:
    return Item(
        id=f"bio:{place}",
        question=question,
        documents=documents,
        web=web,
        gold={"entity": entity},
        group=f"entity:{entity.lower()}",
    )


def _ours(rows: Sequence[Row], _: Path) -> list[Item]:
    return [
        Item(
            id=row["id"],
            question=row["question"],
            documents=tuple(
                Document(text=each["text"], title=each["title"]) for each in row["passages"]
            ),
            web=snippets(row["ref_incorrect"]),
            gold={"entity": row["entity"]},
            group=row["group"],
        )
        for row in rows
    ]


def _self_rag(rows: Sequence[Row], file: Path) -> list[Item]:
    webs = read_web(file, "bio", len(rows))
    return [
        _item(place, row["topic"], row["question"], contexts(row), web)
        for place, (row, web) in enumerate(zip(rows, webs, strict=True))
    ]


def _crag(rows: Sequence[Row], file: Path) -> list[Item]:
    found = [retrieved(row["text"]) for row in read_lines(file.with_name(_PASSAGES))]
    webs = read_web(file, "bio", len(rows))
    return [
        _item(place, _person(row["text"], file), row["text"].strip(), documents, web)
        for place, (row, documents, web) in enumerate(zip(rows, found, webs, strict=True))
    ]


def _person(question: str, file: Path) -> str:
    if found := _PERSON.fullmatch(question.strip()):
        return found[1]
    raise InputError(f"{file}: expected questions like 'Who is NAME?'; got {question!r}")


def _factscore(rows: Sequence[Row], _: Path) -> list[Item]:
    names = [row["text"].strip() for row in rows]
    return [_item(place, name, f"Tell me a bio of {name}.") for place, name in enumerate(names)]


SOURCES = (
    Source(
        path="bio-contriever/bio.jsonl.gz",
        rows=248,
        where=SHARED,
        fields=("id", "group", "entity", "question", "passages", "ref_incorrect"),
        items=_ours,
    ),
    Source(
        path="eval_data/factscore_unlabeled_alpaca_13b_retrieval.jsonl",
        rows=500,
        where=SELF_RAG,
        fields=("question", "topic", "ctxs"),
        items=_self_rag,
    ),
    Source(
        path="bio/sources",
        rows=500,
        where=CRAG,
        fields=("text",),
        items=_crag,
        read=read_lines,
        parts={_PASSAGES: 500},
    ),
    Source(
        path="data/unlabeled/prompt_entities.txt",
        rows=500,
        where="shmsw25/FActScore publishes it",
        fields=("text",),
        items=_factscore,
        read=read_lines,
    ),
)
"""Ours; Self-RAG's, with CRAG's `bio/ref/incorrect` beside it; CRAG's own; FActScore's names."""
DATASET = Dataset(
    name="biography-unlabelled",
    description="500 people of FActScore (Min et al., 2023) with Contriever's passages; MIT",
    read=partial(read_any, "biography-unlabelled", SOURCES),
    scorers=("factscore", "cost"),
)
