"""Pairs made of questions that people answered, beside the text that answers and beside others.

Of each question: whether a text answers it, and, where the answer is known, the statement that both
make, the same with a wrong answer, and with a gap in the answer's place.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata.evals.datasets.rows import read_rows
from errata.tools.judges.cross_encoder import GAP
from errata.tools.judges.entailment import evidence_text, join_strips
from errata.tools.judges.evidence import Evidence, Reading
from errata.training.pairs import (
    IRRELEVANT,
    NOT_MENTIONED,
    REFUTED,
    RELEVANT,
    SUPPORTED,
    Pair,
    is_reserved,
)
from errata.training.passages import draw_excerpt, index_texts

QUESTIONS = 1500
"""How many questions of a set are used."""
MAX_ANSWER_WORDS = 6
"""Longer answers do not replace another question's answer."""
CROWDED = 0.5
"""The share of statements whose text is shown among others of its article."""
UNANSWERED = 0.2
"""The share of questions and gaps that stand beside a text that does not answer them."""
STRIPS = 3
"""How many strips a question is shown with at most."""
_DO, _PLACE = "(?:did|do|does)", "in|on|at|by|for|from|to|with|of|during|under|after|before|into"
_AUX = f"(?:is|are|was|were|am|be|{_DO}|has|have|had|can|could|will|would|may|might|should|must)"
_FRONTED = rf"(?P<link>{_PLACE}) (?:wh\w+|how)\b[^,]*?"
_FORMS = tuple(
    (re.compile(f"^{pattern}$", re.IGNORECASE), link, form)
    for pattern, link, form in (
        (rf"{_FRONTED} {_DO} (?P<rest>.+)", "", "{placed}, {rest}"),
        (rf"{_FRONTED} (?P<rest>{_AUX} .+)", "", "{placed}, {rest}"),
        (
            rf"how (?:many|much) (?P<kind>.*?) ?\b(?:{_DO}|has|have|had) (?P<rest>.+)",
            "",
            "{rest} {answer} {kind}",
        ),
        (r"how (?:many|much) (?P<rest>.+)", "", "{answer} {rest}"),
        (rf"(?:what|which|whom?|whose)\b(?P<kind>.*?)\b{_DO} (?P<rest>.+)", "", "{rest} {named}"),
        (rf"(?:what|which|who|whose)\b(?P<kind>.*?)\b(?P<rest>{_AUX} .+)", "", "{named} {rest}"),
        (r"(?:who|what) (?P<rest>.+)", "", "{answer} {rest}"),
        (rf"(?:when|where)\b.*?\b{_AUX} (?P<rest>.+)", "in", "{rest} {placed}"),
        (rf"why\b.*?\b{_AUX} (?P<rest>.+)", "because", "{rest} {placed}"),
        (rf"how\b.*?\b{_AUX} (?P<rest>.+)", "", "{rest} {answer}"),
    )
)
"""A question's form, the word that links its answer, and what both state."""


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
        by_group = defaultdict[str, list[Question]](list)
        for question in questions:
            by_group[question.group].append(question)
        for question in random.sample(questions, min(QUESTIONS, len(questions))):
            yield from _relevance_pairs(name, question)
            if question.answer and question.others:
                yield from _statement_pairs(question, by_group[question.group], random)
                yield from _answer_pairs(question, random)


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


def _statement_pairs(
    question: Question, article: Iterable[Question], random: Random
) -> Iterator[Pair]:
    """A statement beside its text, one with a wrong answer, and one beside other texts."""
    claim, others = make_statement(question.text, question.answer), question.others
    evidence = index_texts(
        [question.own, *others] if random.random() < CROWDED else [question.own], question.title
    )
    elsewhere = index_texts(others, question.title)
    rows = [(claim, evidence, SUPPORTED), (claim, elsewhere, NOT_MENTIONED)]
    fitting = [
        other
        for other in article
        if _opening(other.text) == _opening(question.text)
        and len(other.answer.split()) <= MAX_ANSWER_WORDS
        and other.answer.lower() not in question.answer.lower()
        and question.answer.lower() not in other.answer.lower()
    ]
    if fitting:
        near = [other for other in fitting if other.own == question.own]
        wrong = make_statement(question.text, random.choice(near or fitting).answer)
        rows.append((wrong, evidence, REFUTED))
    for text, shown, labels in rows:
        bundle = f"{question.group} {question.text}"
        second = draw_excerpt(text, shown, random)
        yield Pair(question.group, "statements", text, second, labels, bundle)


def _opening(question: str) -> list[str]:
    """The question word, with the next word where it alone says little."""
    words = question.lower().split()
    return words[:2] if words[0] in ("how", "what", "which", "in") else words[:1]


def _answer_pairs(question: Question, random: Random) -> Iterator[Pair]:
    """A question, and the claim with a gap that it makes, each beside its own text or another."""
    for source, text in (("asked", question.text), ("gap", make_statement(question.text, GAP))):
        is_answered = random.random() >= UNANSWERED
        own = question.own if is_answered else random.choice(question.others)
        answer = question.answer if is_answered else ""
        shown = _show(text.replace(GAP, ""), answer, index_texts([own], question.title), random)
        if shown:
            yield Pair(question.group, source, text, shown, (), answer=answer)


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


def make_statement(question: str, answer: str) -> str:
    """What a question and its answer state together, not always grammatically.

    The style follows question-to-declarative conversion (Demszky, Guu and Liang, 2018), with
    patterns instead of a parser.

    >>> make_statement("What is the capital of France?", "Paris")
    'Paris is the capital of France.'
    """
    plain = " ".join(question.split()).rstrip(" ?.")
    for pattern, link, form in _FORMS:
        if match := pattern.match(plain):
            groups = {name: text.strip() for name, text in match.groupdict().items()}
            is_linked = re.match(rf"(?:{_PLACE})\b", answer, re.IGNORECASE)
            placed = answer if is_linked else f"{groups.get('link', link)} {answer}".strip()
            named = f"{answer}, {groups['kind']}," if groups.get("kind") else answer
            told = form.format_map(groups | {"answer": answer, "placed": placed, "named": named})
            return f"{told.rstrip(' ,')}."
    return f"{plain}: {answer}."
