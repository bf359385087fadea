"""The cross-encoder's first stage: pairs made from answered questions, without human labels."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from errata.evals.datasets.rows import Row, read_rows
from errata.tools.judges.entailment import evidence_text
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.entities import find_entities
from errata.training.excerpts import draw_excerpt, index_texts
from errata.training.pairs import (
    IRRELEVANT,
    NOT_MENTIONED,
    REFUTED,
    RELEVANT,
    SUPPORTED,
    Labels,
    Pair,
)
from errata.training.splits import is_reserved
from errata.training.statements import make_statement
from errata.training.swaps import collect_entities, swap_entity

MAX_ANSWER_WORDS = 6
"""Longer answers do not replace another question's answer."""
NEGATIVES = 2
"""How many strips that do not answer are drawn for each question."""
CROWDED = 0.5
"""The share of claims whose paragraph is shown among others of its article."""
QUESTION_STRIPS = 3
"""How many strips a question is shown with."""
NEIGHBOURS = 6
"""A wrong sentence is at most so many rows away from the right one."""
QUESTION_PAIRS = 22000
"""How many pairs of a question and a text are drawn."""


class Paragraphs:
    """SQuAD's training paragraphs, and its answered questions outside the reserved articles."""

    def __init__(self, folder: Path) -> None:
        """Read the folder `squad`."""
        paragraphs = read_rows(folder / "train_paragraphs.jsonl.gz")
        self.texts = {row["id"]: row["text"] for row in paragraphs}
        questions = read_rows(folder / "train_questions.jsonl.gz")
        self.questions = [q for q in questions if q["answers"] and not is_reserved(q["group"])]
        self.by_article: dict[str, list[Row]] = defaultdict(list)
        for row in self.questions:
            self.by_article[row["group"]].append(row)

    def own(self, question: Row) -> str:
        """The paragraph that answers a question."""
        text: str = self.texts[question["paragraph_id"]]
        return text

    def others(self, question: Row) -> list[str]:
        """Other paragraphs of the same article."""
        names = question["neg_same_article"]
        return [self.texts[name] for name in names if name in self.texts]


def synthetic_pairs(data: Path, random: Random) -> list[Pair]:
    """All pairs of the first stage: claims, swapped sentences, and a sample of questions."""
    paragraphs = Paragraphs(data / "squad")
    questions = [
        *paragraph_question_pairs(paragraphs),
        *sentence_question_pairs(data / "squad" / "train_sentence_pairs.jsonl.gz", random),
    ]
    return [
        *statement_pairs(paragraphs, random),
        *swapped_sentence_pairs(paragraphs, random),
        *random.sample(questions, QUESTION_PAIRS),
    ]


def statement_pairs(paragraphs: Paragraphs, random: Random) -> Iterator[Pair]:
    """Claims from answered questions: true, with another's answer, and with other paragraphs."""
    for row in paragraphs.questions:
        own, others = paragraphs.own(row), paragraphs.others(row)
        claim = make_statement(row["question"], min(row["answers"], key=len))
        evidence = index_texts([own, *others] if random.random() < CROWDED else [own])
        yield _statement_pair(row, claim, evidence, random, SUPPORTED)
        if answer := _draw_wrong_answer(row, paragraphs.by_article[row["group"]], random):
            wrong = make_statement(row["question"], answer)
            yield _statement_pair(row, wrong, evidence, random, REFUTED)
        if others:
            yield _statement_pair(row, claim, index_texts(others), random, NOT_MENTIONED)


def _statement_pair(
    row: Row, claim: str, evidence: Evidence, random: Random, labels: Labels
) -> Pair:
    return Pair(row["group"], "statements", claim, draw_excerpt(claim, evidence, random), labels)


def _draw_wrong_answer(row: Row, article: Sequence[Row], random: Random) -> str:
    """The answer to a question that opens alike, from the same paragraph if possible."""
    right = [answer.lower() for answer in row["answers"]]

    def fits(other: Row, answer: str) -> bool:
        opens_alike = _opening(other["question"]) == _opening(row["question"])
        differs = all(answer.lower() not in r and r not in answer.lower() for r in right)
        return opens_alike and differs and len(answer.split()) <= MAX_ANSWER_WORDS

    shortest = [(other, min(other["answers"], key=len)) for other in article]
    fitting = [(other["paragraph_id"], text) for other, text in shortest if fits(other, text)]
    same_paragraph = [text for place, text in fitting if place == row["paragraph_id"]]
    answer: str = random.choice(same_paragraph or [text for _, text in fitting] or [""])
    return answer


def _opening(question: str) -> tuple[str, ...]:
    """The question word, with the next word where it alone says little."""
    words = question.lower().split()
    return tuple(words[:2] if words[0] in ("how", "what", "which", "in") else words[:1])


def swapped_sentence_pairs(paragraphs: Paragraphs, random: Random) -> Iterator[Pair]:
    """Up to two sentences of each paragraph, unchanged and with one entity swapped."""
    for row in {row["paragraph_id"]: row for row in paragraphs.questions}.values():
        own, pool = paragraphs.own(row), collect_entities(paragraphs.others(row))
        known = frozenset(entity.key for entity in find_entities(own))
        sentences = [s.text for s in index_texts([own]).strips if find_entities(s.text)]
        for claim in random.sample(sentences, min(2, len(sentences))):
            yield _statement_pair(row, claim, index_texts([own]), random, SUPPORTED)
            if wrong := swap_entity(claim, known, pool, random):
                yield _statement_pair(row, wrong, index_texts([own]), random, REFUTED)


def paragraph_question_pairs(paragraphs: Paragraphs) -> Iterator[Pair]:
    """Questions with the strips that answer them, and with the best ones that do not."""
    for row in paragraphs.questions:
        reading = Reading(row["question"])
        wrong = index_texts(paragraphs.others(row)).best(reading)[:NEGATIVES]
        right = evidence_text(reading, index_texts([paragraphs.own(row)]), QUESTION_STRIPS)
        yield _question_pair(row, right, RELEVANT)
        for strip in wrong[:1]:
            yield _question_pair(row, strip.text, IRRELEVANT)
        if len(wrong) > 1:
            yield _question_pair(row, " ".join(strip.text for strip in wrong), IRRELEVANT)


def _question_pair(row: Row, text: str, labels: Labels) -> Pair:
    return Pair(row["group"], "squad", row["question"], f"{row['title']}. {text}", labels)


def sentence_question_pairs(path: Path, random: Random) -> Iterator[Pair]:
    """Questions with the sentence that answers them, and with another from nearby."""
    rows = list(read_rows(path))
    for place, row in enumerate(rows):
        yield Pair(row["id"], "nqg", row["question"], row["sentence"], RELEVANT)
        nearby = rows[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]
        wrong = [other["sentence"] for other in nearby if other["sentence"] != row["sentence"]]
        if wrong:
            yield Pair(row["id"], "nqg", row["question"], random.choice(wrong), IRRELEVANT)
