"""Datasets of questions: PopQA, PubHealth, ARC-Challenge, TruthfulQA, and people to write about.

Gold: `answers`, the accepted ones (PopQA); `label`, whether the claim that is asked about is true
(PubHealth); `choice`, the right one's letter or digit, `text`, its words, and `choices`, all by
letter (ARC); `best_answer`, `correct_answers` and `incorrect_answers` (TruthfulQA); `entity`, the
person (CRAG's and Self-RAG's Biography set, of which an answer is scored by finding its facts in
Wikipedia). A function for each file makes an item of a row: of ours, then of the authors'; beside
Self-RAG's lies CRAG's web, or none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_lines
from errata.evals.datasets.sources import Form, beside, dataset_of, source
from errata.evals.items import Item

CRAG = "HuskyInSalt/CRAG publishes it"
SELF_RAG = "AkariAsai/self-rag publishes it with its evaluation data"
_PASSAGE = re.compile(r"; (?=[^;]{1,80} // )")
_SNIPPET = re.compile(r"(?:^|; ?|#)([^:;#]{3,90}): ")
Pages = tuple[Document, ...]


def passages(refined: str) -> Pages:
    """The passages of a line of `ref/correct`: `#Title // text; Title // text`."""
    parts = (part.partition(" // ") for part in _PASSAGE.split(refined.strip("# \n")))
    titled = ((title, text) if mark else ("", title) for title, mark, text in parts)
    return tuple(Document(text=text, title=title) for title, text in titled if text.strip())


def snippets(found: str) -> Pages:
    """The paragraphs of a line of `ref/incorrect`: `#Title: text; Title: text`."""
    parts = _SNIPPET.split(found)
    titled = ((t.strip(), x.strip(" ;#\n")) for t, x in zip(parts[1::2], parts[2::2], strict=True))
    return tuple(Document(text=text, title=title) for title, text in titled if text)


def titled(found: Sequence[Row]) -> Pages:
    """Documents of rows with `title` and `text`."""
    return tuple(Document(text=each["text"], title=each["title"]) for each in found)


def contexts(row: Row) -> Pages:
    """The first ten passages of the column `ctxs`, which CRAG's program reads of Contriever's."""
    return titled(row["ctxs"][:10])


def read_web(file: Path, task: str, count: int) -> list[Pages]:
    """For each of `count` questions what a search found, from `TASK/ref/incorrect` beside a file.

    Nothing for any where that file is missing. The file of ARC-Challenge begins with an empty line
    that belongs to no question. Raises InputError if the file has another number of lines.
    """
    path = beside(file, f"{task}/ref/incorrect", "ref/incorrect")
    if not path:
        return [()] * count
    lines = list(read_lines(path))
    if len(lines) == count + 1 and not lines[0].strip("# "):
        lines = lines[1:]
    if len(lines) != count:
        raise InputError(f"{path} has {len(lines):,} lines; expected {count:,} ({CRAG})")
    return [snippets(line) for line in lines]


def deal(pages: Sequence[Pages], count: int) -> list[Pages]:
    """All pages in their order, in `count` heaps of about the same number of questions."""
    edges = [len(pages) * place // count for place in range(count + 1)] if count else []
    return [tuple(chain.from_iterable(pages[start:end])) for start, end in pairwise(edges)]


_TRUTH = {"true": True, "supports": True, "false": False, "refutes": False}
Fields = dict[str, Any]


def with_web(task: str) -> Form:
    """Adds to each row as `web` what CRAG found: `TASK/ref/incorrect`, if that is there."""

    def form(rows: Sequence[Row], file: Path) -> Sequence[Row]:
        for row, web in zip(rows, read_web(file, task, len(rows)), strict=True):
            row["web"] = web
        return rows

    return form


def _refined(row: Row) -> Fields:
    """The pages of our files that have CRAG's."""
    return {"documents": passages(row["ref_correct"]), "web": snippets(row["ref_incorrect"])}


def _self_rag(row: Row) -> Fields:
    """The pages of Self-RAG's files."""
    return {"documents": contexts(row), "web": row["web"]}


def _popqa(name: str, row: Row, answers: Sequence[str], **pages: Any) -> Item:
    own = {"question": row["question"], "category": row["prop"], "gold": {"answers": answers}}
    return Item(id=name, **own, **pages)


@source("popqa", "popqa/longtail_test.jsonl.gz", 669)
def _(row: Row, _: int) -> Item:
    return _popqa(row["id"], row, row["possible_answers"], **_refined(row))


@source("popqa", "eval_data/popqa_longtail_w_gs.jsonl", 1399, SELF_RAG, with_web("popqa"))
def _(row: Row, _: int) -> Item:
    return _popqa(f"popqa:{row['id']}", row, row["answers"], **_self_rag(row))


def _with_known_label(rows: Sequence[Row], _: Path) -> Iterator[Row]:
    """The claims whose label is known; the web is that of all, in their order."""
    known = [row for row in rows if row["label"]]
    webs = deal([snippets(row["ref_incorrect"]) for row in rows], len(known))
    for row, web in zip(known, webs, strict=True):
        row["web"] = web
        yield row


@source("pubhealth", "pubhealth/test_claims.jsonl.gz", 484, form=_with_known_label)
def _(row: Row, _: int) -> Item:
    pages = _refined(row) | {"web": row["web"]}
    gold = {"label": _TRUTH[row["label"]]}
    return Item(id=row["id"], question=row["claim"], gold=gold, **pages)


@source("pubhealth", "eval_data/health_claims_processed.jsonl", 987, SELF_RAG, with_web("pubqa"))
def _(row: Row, place: int) -> Item:
    gold = {"label": _TRUTH[row["answers"][0].lower()]}
    return Item(id=f"pubhealth:{place}", question=row["question"], gold=gold, **_self_rag(row))


def _choose(name: str, row: Row, choices: Mapping[str, str], key: str, **pages: Any) -> Item:
    """A question with its choices on lines of their own."""
    asked = "\n".join([row["question"], *(f"{name}: {text}" for name, text in choices.items())])
    gold = {"choice": key, "text": choices[key], "choices": dict(choices)}
    return Item(id=name, question=asked, gold=gold, **pages)


@source("arc", "arc-challenge/test.jsonl.gz", 591)
def _(row: Row, _: int) -> Item:
    return _choose(row["id"], row, row["choices"], row["answer_key"], **_refined(row))


@source("arc", "eval_data/arc_challenge_processed.jsonl", 1172, SELF_RAG, with_web("arc_challenge"))
def _(row: Row, place: int) -> Item:
    choices = dict(zip(row["choices"]["label"], row["choices"]["text"], strict=True))
    return _choose(f"arc:{place}", row, choices, row["answerKey"], **_self_rag(row))


@source("truthfulqa", "truthfulqa/truthfulqa.jsonl.gz", 391)
def _(row: Row, _: int) -> Item:
    gold = {name: row[name] for name in ("best_answer", "correct_answers", "incorrect_answers")}
    return Item(id=row["id"], question=row["question"], category=row["category"], gold=gold)


@source(
    "truthfulqa",
    "data/truthfulqa/TruthfulQA.csv",
    817,
    "jlab-nlp/Retrieval-Augmented-Correction publishes it; sylinrl/TruthfulQA's later one differs",
)
def _(row: Row, place: int) -> Item:
    gold: Fields = {"best_answer": row["Best Answer"].strip()}
    for kind in ("Correct Answers", "Incorrect Answers"):
        answers = [answer.strip() for answer in row[kind].split(";")]
        gold[kind.lower().replace(" ", "_")] = list(filter(None, answers))
    own = {"id": f"truthfulqa:{place}", "category": row["Category"]}
    return Item(question=row["Question"].strip(), gold=gold, **own)


@source("biography-unlabelled", "bio-contriever/bio.jsonl.gz", 248)
def _(row: Row, _: int) -> Item:
    pages: Fields = {"documents": titled(row["passages"]), "web": snippets(row["ref_incorrect"])}
    return Item(id=row["id"], question=row["question"], gold={"entity": row["entity"]}, **pages)


@source(
    "biography-unlabelled",
    "eval_data/factscore_unlabeled_alpaca_13b_retrieval.jsonl",
    500,
    SELF_RAG,
    with_web("bio"),
)
def _(row: Row, place: int) -> Item:
    own = {"question": row["question"], "gold": {"entity": row["topic"]}}
    return Item(id=f"bio:{place}", **own, **_self_rag(row))


DATASETS = (
    dataset_of("popqa", "match", "PopQA's long tail (Mallen et al., 2023): 1,399 questions; MIT"),
    dataset_of(
        "pubhealth",
        "match",
        "PubHealth's test claims that are true or false (Kotonya & Toni, 2020); MIT",
    ),
    dataset_of(
        "arc", "match", "ARC-Challenge's test (Clark et al., 2018): 1,172 questions; CC BY-SA 4.0"
    ),
    dataset_of(
        "truthfulqa",
        "truthfulqa",
        "TruthfulQA (Lin et al., 2022): 817 questions of 38 categories; Apache-2.0",
    ),
    dataset_of(
        "biography-unlabelled",
        "factscore",
        "500 people of FActScore (Min et al., 2023) with Contriever's passages; MIT",
    ),
)
