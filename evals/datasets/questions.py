"""Datasets of questions: PopQA, PubHealth, ARC-Challenge, TruthfulQA, and people to write about.

Gold: `answers`, the accepted ones (PopQA); `label`, whether the claim that is asked about is true
(PubHealth); `choice`, the right one's letter or digit, `text`, its words, and `choices`, all by
letter (ARC); `best_answer`, `correct_answers` and `incorrect_answers` (TruthfulQA); `entity`, the
person (CRAG's and Self-RAG's Biography set, of which an answer is scored by finding its facts in
Wikipedia).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from errata.core.errors import InputError
from errata.evals.datasets.crag_files import (
    CRAG,
    SELF_RAG,
    contexts,
    deal,
    passages,
    read_web,
    retrieved,
    snippets,
    titled,
)
from errata.evals.datasets.rows import Row, read_csv, read_lines, read_rows, read_tsv
from errata.evals.datasets.sources import SHARED, Of, Source, beside, dataset_of, group_of, of
from errata.evals.items import Dataset

LONG_TAIL = 100
"""Subjects with fewer page views a month are the long tail (CRAG, appendix B.1)."""
_TRUTH = {"true": True, "supports": True, "false": False, "refutes": False}
_PERSON = re.compile(r"Who is (.+)\?")
_PASSAGES = "retrieved_psgs"
_FOUND = "found"
"""The column of what a search found, which lies in another file or row."""
_OURS: Mapping[str, str | Of] = {"id": "id", "group": "group"}
_REFINED: Mapping[str, str | Of] = {
    **_OURS,
    "documents": of(passages, "ref_correct"),
    "web": of(snippets, "ref_incorrect"),
}
_SELF_RAG: Mapping[str, str | Of] = {"documents": of(contexts, "ctxs"), "web": _FOUND}


def with_web(task: str) -> Callable[[Sequence[Row], Path], Iterator[Row]]:
    """Adds to each row what CRAG's search found, from `TASK/ref/incorrect` if that is there."""

    def prepare(rows: Sequence[Row], file: Path) -> Iterator[Row]:
        for row, web in zip(rows, read_web(file, task, len(rows)), strict=True):
            yield {**row, _FOUND: web}

    return prepare


def _long_tail(rows: Sequence[Row], _: Path) -> list[Row]:
    return [row for row in rows if int(row["s_pop"]) < LONG_TAIL]


def _with_dealt_web(rows: Sequence[Row], file: Path) -> Iterator[Row]:
    """Deals out the web of the long tail: a search for E5's questions left none."""
    path = beside(file, "popqa/longtail_test.jsonl.gz")
    pages = [snippets(row["ref_incorrect"]) for row in read_rows(path)] if path else []
    for row, web in zip(rows, deal(pages, len(rows)), strict=True):
        yield {**row, _FOUND: web}


def _with_known_label(rows: Sequence[Row], _: Path) -> Iterator[Row]:
    """The claims whose label is known; the web is that of all, in their order."""
    known = [row for row in rows if row["label"]]
    webs = deal([snippets(row["ref_incorrect"]) for row in rows], len(known))
    for row, web in zip(known, webs, strict=True):
        yield {**row, _FOUND: web}


def _asked(question: str, choices: Mapping[str, str]) -> str:
    """A question with its choices on lines of their own."""
    return "\n".join([question, *(f"{name}: {text}" for name, text in choices.items())])


def _with_choices(rows: Sequence[Row], file: Path) -> Iterator[Row]:
    """Self-RAG's rows of ARC with the choices by letter, as ours have them."""
    for row in with_web("arc_challenge")(rows, file):
        choices = dict(zip(row["choices"]["label"], row["choices"]["text"], strict=True))
        yield {**row, "choices": choices, "answer_key": row["answerKey"]}


def _with_stem(rows: Sequence[Row], _: Path) -> Iterator[Row]:
    """AI2's rows of ARC as ours."""
    for row in rows:
        question = row["question"]
        choices = {choice["label"]: choice["text"] for choice in question["choices"]}
        own = {"question": question["stem"], "choices": choices, "answer_key": row["answerKey"]}
        yield {**row, **own}


def _with_passages(rows: Sequence[Row], file: Path) -> Iterator[Row]:
    """CRAG's questions about people with the passages and the web of the files beside them."""
    found = [retrieved(row["text"]) for row in read_lines(file.with_name(_PASSAGES))]
    for row, pages in zip(with_web("bio")(rows, file), found, strict=True):
        question = row["text"].strip()
        yield {**row, "question": question, "topic": _person(question, file), "pages": pages}


def _person(question: str, file: Path) -> str:
    if found := _PERSON.fullmatch(question):
        return found[1]
    raise InputError(f"{file}: expected questions like 'Who is NAME?'; got {question!r}")


def _answers(cell: str) -> list[str]:
    """The answers that a cell holds between semicolons."""
    return [answer.strip() for answer in cell.split(";") if answer.strip()]


_CHOICES: Mapping[str, str | Of] = {
    "question": of(_asked, "question", "choices"),
    "gold.choice": "answer_key",
    "gold.text": of(lambda choices, key: choices[key], "choices", "answer_key"),
    "gold.choices": of(dict, "choices"),
}
_POPQA: Mapping[str, str | Of] = {
    "id": "popqa:{id}",
    "question": "question",
    "category": "prop",
    "group": group_of("entity", "s_wiki_title"),
}
_TOPIC: Mapping[str, str | Of] = {
    "id": "bio:{place}",
    "question": "question",
    "gold.entity": "topic",
    "group": group_of("entity", "topic"),
}
_GOLD_ANSWERS = ("best_answer", "correct_answers", "incorrect_answers")
SOURCES: Mapping[str, Sequence[Source]] = {
    "popqa": (
        Source(
            path="popqa/longtail_test.jsonl.gz",
            rows=669,
            where=SHARED,
            fields={
                **_REFINED,
                "question": "question",
                "gold.answers": "possible_answers",
                "category": "prop",
            },
        ),
        Source(
            path="eval_data/popqa_longtail_w_gs.jsonl",
            rows=1399,
            where=SELF_RAG,
            needs=("id", "question", "answers", "prop", "s_wiki_title", "ctxs"),
            prepare=with_web("popqa"),
            fields={**_POPQA, **_SELF_RAG, "gold.answers": of(list, "answers")},
        ),
        Source(
            path="data/popQA.tsv",
            rows=14267,
            where="AlexTMallen/adaptive-retrieval publishes it",
            read=read_tsv,
            needs=("id", "prop", "s_pop", "s_wiki_title", "question", "possible_answers"),
            prepare=_long_tail,
            fields={**_POPQA, "gold.answers": of(json.loads, "possible_answers")},
        ),
    ),
    "popqa-e5": (
        Source(
            path="retrieval-e5/popqa.jsonl.gz",
            rows=339,
            where=f"{SHARED}; made from GaurisankarJ/reason_over_search",
            needs=("id", "group", "question", "answers", "prop", "searches"),
            prepare=_with_dealt_web,
            fields={
                **_OURS,
                "question": "question",
                "documents": of(lambda searches: titled(searches[0]["docs"]), "searches"),
                "web": _FOUND,
                "gold.answers": "answers",
                "category": "prop",
            },
        ),
    ),
    "pubhealth": (
        Source(
            path="pubhealth/test_claims.jsonl.gz",
            rows=484,
            where=SHARED,
            needs=("id", "group", "claim", "label", "ref_correct", "ref_incorrect"),
            prepare=_with_known_label,
            fields={
                **_REFINED,
                "question": "claim",
                "web": _FOUND,
                "gold.label": of(_TRUTH.__getitem__, "label"),
            },
        ),
        Source(
            path="eval_data/health_claims_processed.jsonl",
            rows=987,
            where=SELF_RAG,
            needs=("question", "answers", "ctxs"),
            prepare=with_web("pubqa"),
            fields={
                **_SELF_RAG,
                "id": "pubhealth:{place}",
                "question": "question",
                "gold.label": of(lambda answers: _TRUTH[answers[0].lower()], "answers"),
                "group": group_of("claim", "question"),
            },
        ),
    ),
    "arc": (
        Source(
            path="arc-challenge/test.jsonl.gz",
            rows=591,
            where=SHARED,
            fields={**_REFINED, **_CHOICES},
        ),
        Source(
            path="eval_data/arc_challenge_processed.jsonl",
            rows=1172,
            where=SELF_RAG,
            needs=("question", "choices", "answerKey", "ctxs"),
            prepare=_with_choices,
            fields={
                **_SELF_RAG,
                **_CHOICES,
                "id": "arc:{place}",
                "group": group_of("prompt", "question"),
            },
        ),
        Source(
            path="ARC-Challenge/ARC-Challenge-Test.jsonl",
            rows=1172,
            where="the Allen Institute for AI publishes it as ARC-V1",
            needs=("id", "question", "answerKey"),
            prepare=_with_stem,
            fields={**_CHOICES, "id": "arc:{id}", "group": group_of("prompt", "question")},
        ),
    ),
    "truthfulqa": (
        Source(
            path="truthfulqa/truthfulqa.jsonl.gz",
            rows=391,
            where=SHARED,
            fields={
                **_OURS,
                "category": "category",
                "question": "question",
                **{f"gold.{name}": name for name in _GOLD_ANSWERS},
            },
        ),
        Source(
            path="data/truthfulqa/TruthfulQA.csv",
            rows=817,
            where=(
                "jlab-nlp/Retrieval-Augmented-Correction publishes it; sylinrl/TruthfulQA's later "
                "one differs"
            ),
            read=read_csv,
            fields={
                "id": "truthfulqa:{place}",
                "category": "Category",
                "question": of(str.strip, "Question"),
                "gold.best_answer": of(str.strip, "Best Answer"),
                "gold.correct_answers": of(_answers, "Correct Answers"),
                "gold.incorrect_answers": of(_answers, "Incorrect Answers"),
                "group": group_of("prompt", "Question"),
            },
        ),
    ),
    "biography-unlabelled": (
        Source(
            path="bio-contriever/bio.jsonl.gz",
            rows=248,
            where=SHARED,
            fields={
                **_OURS,
                "question": "question",
                "gold.entity": "entity",
                "documents": of(titled, "passages"),
                "web": of(snippets, "ref_incorrect"),
            },
        ),
        Source(
            path="eval_data/factscore_unlabeled_alpaca_13b_retrieval.jsonl",
            rows=500,
            where=SELF_RAG,
            needs=("question", "topic", "ctxs"),
            prepare=with_web("bio"),
            fields={**_TOPIC, **_SELF_RAG},
        ),
        Source(
            path="bio/sources",
            rows=500,
            where=CRAG,
            read=read_lines,
            needs=("text",),
            prepare=_with_passages,
            parts={_PASSAGES: 500},
            fields={**_TOPIC, "documents": "pages", "web": _FOUND},
        ),
        Source(
            path="data/unlabeled/prompt_entities.txt",
            rows=500,
            where="shmsw25/FActScore publishes it",
            read=read_lines,
            fields={
                "id": "bio:{place}",
                "question": of(lambda name: f"Tell me a bio of {name.strip()}.", "text"),
                "gold.entity": of(str.strip, "text"),
                "group": group_of("entity", "text"),
            },
        ),
    ),
}
"""By dataset: our file; then the authors', with CRAG's web beside Self-RAG's, if that is there."""
_ABOUT: Mapping[str, tuple[str, str]] = {
    "popqa": ("match", "PopQA's long tail (Mallen et al., 2023): 1,399 questions; MIT"),
    "popqa-e5": (
        "match",
        "PopQA of all popularities with E5's top three of Wikipedia (2018); no licence",
    ),
    "pubhealth": (
        "match",
        "PubHealth's test claims that are true or false (Kotonya & Toni, 2020); MIT",
    ),
    "arc": ("match", "ARC-Challenge's test (Clark et al., 2018): 1,172 questions; CC BY-SA 4.0"),
    "truthfulqa": (
        "truthfulqa",
        "TruthfulQA (Lin et al., 2022): 817 questions of 38 categories; Apache-2.0",
    ),
    "biography-unlabelled": (
        "factscore",
        "500 people of FActScore (Min et al., 2023) with Contriever's passages; MIT",
    ),
}
DATASETS: Mapping[str, Dataset] = {
    name: dataset_of(name, description, SOURCES[name], scorer)
    for name, (scorer, description) in _ABOUT.items()
}
