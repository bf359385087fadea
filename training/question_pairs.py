"""Pairs made of questions that people answered, beside the text that answers and beside others.

Of each question: whether a text answers it, and where the answer stands, if it is known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata.evals.datasets.rows import read_rows
from errata.tools.judges.entailment import evidence_text, join_strips
from errata.tools.judges.evidence import Evidence, Reading
from errata.training.pairs import (
    IRRELEVANT,
    RELEVANT,
    Pair,
    is_reserved,
)
from errata.training.passages import index_texts

QUESTIONS = 1500
"""How many questions of a set are used."""
UNANSWERED = 0.2
"""The share of questions that stand beside a text that does not answer them."""
STRIPS = 3
"""How many strips a question is shown with at most."""


@dataclass(frozen=True)
class Question:
    """A question with the text that answers it, and with texts that do not."""

    group: str
    text: str
    title: str
    own: str
    others: Sequence[str]
    answer: str = ""
    """Its shortest answer; empty where it is not known."""


def question_pairs(data: Path, random: Random) -> Iterator[Pair]:
    """Pairs from SQuADShifts, TyDi, SelQA and BoolQ, outside the reserved articles."""
    sets = {
        "squad": read_paragraphs(data / "squad" / "train", "neg_same_article"),
        "tydi": read_paragraphs(data / "extra/multilingual/tydi_goldp", "neg_other_article"),
        "selqa": read_sections(data / "selqa" / "dev.jsonl.gz", random),
        "boolq": read_passages(data / "extra/retrieval/boolq_dev.jsonl.gz", random),
    }
    for name, found in sets.items():
        questions = [question for question in found if not is_reserved(question.group)]
        for question in random.sample(questions, min(QUESTIONS, len(questions))):
            yield from _relevance_pairs(name, question)
            if question.answer and question.others:
                yield from _answer_pair(question, random)


def read_paragraphs(stem: Path, negatives: str) -> Iterator[Question]:
    """The questions in English of `STEM_questions`, with texts of `STEM_paragraphs`."""
    folder, name = stem.parent, stem.name
    paragraphs = read_rows(folder / f"{name}_paragraphs.jsonl.gz")
    texts = {row["id"]: row["text"] for row in paragraphs if row.get("lang", "en") == "en"}
    for row in read_rows(folder / f"{name}_questions.jsonl.gz"):
        if row["paragraph_id"] in texts and row["answers"]:
            others = [texts[other] for other in row[negatives] if other in texts]
            own, answer = texts[row["paragraph_id"]], min(row["answers"], key=len)
            title = row["title"] or ""
            yield Question(row["group"], row["question"], title, own, others, answer)


def read_sections(path: Path, random: Random) -> Iterator[Question]:
    """SelQA's questions with the sentences that answer, and with some others of the section."""
    for row in read_rows(path):
        numbered = list(enumerate(row["sentences"]))
        own = " ".join(text for number, text in numbered if number in row["relevant"])
        others = [text for number, text in numbered if number not in row["relevant"]]
        few = random.sample(others, min(STRIPS, len(others)))
        yield Question(row["group"], row["question"], row["title"], own, few)


def read_passages(path: Path, random: Random) -> Iterator[Question]:
    """BoolQ's questions with their passages, and with another question's."""
    rows = list(read_rows(path))
    for row in rows:
        other = random.choice(rows)["passage"]
        others = [other] if other != row["passage"] else []
        yield Question(row["group"], row["question"], "", row["passage"], others)


def _relevance_pairs(source: str, question: Question) -> Iterator[Pair]:
    """A question with the strips that answer it, and with the best ones that do not."""
    for texts, labels in (([question.own], RELEVANT), (question.others, IRRELEVANT)):
        if texts:
            evidence = index_texts(texts, question.title)
            text = evidence_text(Reading(question.text), evidence, STRIPS)
            yield Pair(question.group, source, question.text, text, labels)


def _answer_pair(question: Question, random: Random) -> Iterator[Pair]:
    """A question beside its own text or another."""
    is_answered = random.random() >= UNANSWERED
    own = question.own if is_answered else random.choice(question.others)
    answer = question.answer if is_answered else ""
    shown = _show(question.text, answer, index_texts([own], question.title), random)
    if shown:
        yield Pair(question.group, "asked", question.text, shown, (), answer=answer)


def _show(text: str, answer: str, evidence: Evidence, random: Random) -> str:
    """One to three strips that match a text best; the answer is among them."""
    count = random.randint(1, STRIPS)
    strips = evidence.best(Reading(text))[:count]
    holding = [strip for strip in evidence.strips if answer in strip.text]
    if not strips or not holding:
        return ""
    if not any(answer in strip.text for strip in strips):
        strips = [holding[0], *strips[: count - 1]]
    return join_strips(strips, evidence)
