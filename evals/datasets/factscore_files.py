"""FActScore's labelled biographies as its authors and those of RAC and RE-EX publish them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.biographies import as_documents
from errata.evals.datasets.rows import Row, read_lines
from errata.evals.datasets.sources import beside
from errata.evals.items import Item

RAC = "jlab-nlp/Retrieval-Augmented-Correction publishes them"
FILES = {
    "google": "processed_retrieval_data/factscore_google_retrieval_post_trim_llama.out",
    "gold": "factscore/factscore_gold_retrieved.txt",
}
"""RAC's files of evidence by kind: a block for each of the 183 people, in the order of `PEOPLE`."""
PEOPLE = "factscore/prompt_entities.txt"
_BLOCK_END = "-----"
_PROMPT = "Question: "
_PERSON = re.compile(r"Tell me a bio of (.+)\.")
_LABELS = {"S": True, "NS": False}
"""Supported and not supported; facts with another label (`IR`, irrelevant) are left out."""


def parse_factscore(rows: Sequence[Row], file: Path, evidence: str) -> list[Item]:
    """The biographies that people labelled: FActScore's `labeled/MODEL.jsonl`."""
    pages, articles = read_evidence(file, evidence), _read_articles(file, evidence)
    return [
        Item(
            id=f"{file.stem}:{row['topic']}",
            question=row["input"].removeprefix(_PROMPT),
            draft=row["output"],
            documents=pages[row["topic"]],
            gold={
                "facts": list(_facts(row)),
                "entity": row["topic"],
                **_articles(articles, row["topic"]),
            },
            category=row["cat"][0],
            group=f"entity:{row['topic'].lower()}",
        )
        for row in rows
        if row["annotations"]
    ]


def _facts(row: Row) -> Iterator[dict[str, Any]]:
    for sentence in row["annotations"]:
        for fact in sentence["human-atomic-facts"] or ():
            if fact["label"] in _LABELS:
                yield {"text": fact["text"], "label": _LABELS[fact["label"]]}


def parse_reex(rows: Sequence[Row], file: Path, evidence: str) -> list[Item]:
    """ChatGPT's labelled biographies as RE-EX's `factscore.json` has them."""
    pages, articles = read_evidence(file, evidence), _read_articles(file, evidence)
    people = [_person(row["input"], file) for row in rows]
    return [
        Item(
            id=f"ChatGPT:{person}",
            question=row["input"],
            draft=" ".join(row["initial_response"]),
            documents=pages[person],
            gold={"facts": reex_facts(row), "entity": person, **_articles(articles, person)},
            group=f"entity:{person.lower()}",
        )
        for row, person in zip(rows, people, strict=True)
    ]


def reex_facts(row: Row) -> list[dict[str, Any]]:
    """The labelled facts of a row of RE-EX's files."""
    pairs = zip(row["annotation"]["content"], row["annotation"]["label"], strict=True)
    return [{"text": text, "label": label} for text, label in pairs]


def _person(question: str, file: Path) -> str:
    if found := _PERSON.fullmatch(question):
        return found[1]
    raise InputError(f"{file}: expected questions like 'Tell me a bio of NAME.'; got {question!r}")


def read_evidence(file: Path, kind: str) -> dict[str, tuple[Document, ...]]:
    """RAC's evidence of a kind for each person, from the files beside another file.

    Raises InputError if they are missing, or do not belong together.
    """
    blocks = beside(file, FILES[kind], Path(FILES[kind]).name)
    people = beside(file, PEOPLE, Path(PEOPLE).name)
    if not blocks or not people:
        wanted = f"{FILES[kind]} and {PEOPLE}"
        raise InputError(f"{file} lacks its evidence: expected {wanted} beside it ({RAC})")
    names = [row["text"].strip() for row in read_lines(people) if row["text"].strip()]
    texts = list(_blocks(blocks))
    if len(texts) != len(names):
        raise InputError(f"{blocks} has {len(texts)} blocks, {people} {len(names)} people ({RAC})")
    pairs = zip(names, texts, strict=True)
    return {name: as_documents([text], name) for name, text in pairs}


def _read_articles(file: Path, evidence: str) -> dict[str, tuple[Document, ...]]:
    """The Wikipedia articles, if they lie beside the file and are not the evidence themselves."""
    is_there = beside(file, FILES["gold"], Path(FILES["gold"]).name)
    return read_evidence(file, "gold") if is_there and evidence != "gold" else {}


def _articles(articles: Mapping[str, Sequence[Document]], person: str) -> dict[str, list[str]]:
    """The gold documents of one person, where there are any."""
    return {"documents": [page.text for page in articles[person]]} if articles else {}


def _blocks(path: Path) -> Iterator[str]:
    """The texts that end in a line of hyphens, without the token that begins a text."""
    lines: list[str] = []
    for row in read_lines(path):
        if row["text"] == _BLOCK_END:
            yield "\n".join(lines).removeprefix("<s>").strip()
            lines = []
        else:
            lines.append(row["text"])
