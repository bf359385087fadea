"""What the cross-encoder learns from: claims or questions beside texts, with allowed labels."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from errata.evals.claims import LabelledClaim, read_claims
from errata.evals.datasets import GENERATORS, Row, read_biographies, read_rows, read_selqa_pairs
from errata.records import Document, VerdictLabel
from errata.tools.judges.entailment import best_strips, question_entity, with_subject
from errata.tools.judges.features import Evidence, Reading
from errata.tools.judges.verifier import evidence_for, topic_stems
from errata.tools.text.entities import find_entities
from errata.training.statements import statement
from errata.training.swaps import Pool, pooled, swapped

SHORT = 6
"""How many words an answer may have to stand in another's place."""
STRIPS = (1, 2, 3, 3)
"""How many strips a claim is shown beside, drawn anew for every pair."""
NEGATIVES = 2
CROWDED = 0.5
"""How often a claim's paragraph stands among others of its article."""
UNANSWERED = 0.25
"""How many of a section's sentences that do not answer are seen."""
QUESTIONS = 22000
"""How many pairs of a question and a text are learnt from in the first stage."""
KEPT_BACK = 10
"""One in how many articles or sections is kept back for fitting the evaluator on."""
Allowed = tuple[VerdictLabel | Literal["relevant", "irrelevant"], ...]
"""Labels of which any is right; people often say no more than that a claim is not supported."""
SUPPORTED: Allowed = ("supported",)
REFUTED: Allowed = ("refuted",)
NOT_MENTIONED: Allowed = ("not_mentioned",)
UNSUPPORTED: Allowed = ("refuted", "not_mentioned")
RELEVANT: Allowed = ("relevant",)
IRRELEVANT: Allowed = ("irrelevant",)
MEANING: dict[str, Allowed] = {"supported": SUPPORTED, "refuted": REFUTED, "nei": NOT_MENTIONED}
HUMAN = {
    "fact-verification/fever_symmetric_dev": 2,
    "fact-verification/begin_dev_wow": 2,
    "fact-verification/begin_dev_cmu": 1,
    "fact-verification/begin_dev_tc": 1,
    "fact-verification/expertqa": 1,
    "wice/claims_dev": 2,
    "wice/oracle_chunks_dev": 1,
}
"""Sets of other people's labels that may be learnt from, and how often each is seen an epoch."""


@dataclass(frozen=True)
class Pair:
    """Hold one example: two texts and the labels that are right for them."""

    group: str
    """What stays on one side of a split."""
    source: str
    first: str
    second: str
    allowed: Allowed


def lot(group: str) -> int:
    """Draw a number for a group, the same each time."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16)


def half(group: str) -> int:
    """Give the fold of a group: 0 or 1."""
    return lot(f"judge|{group}") % 2


def kept_back(group: str) -> bool:
    """Tell whether what is stacked on the cross-encoder is fitted on this group."""
    return lot(group) % KEPT_BACK == 0


def beside(claim: str, question: str, evidence: Evidence, count: int) -> str:
    """Give the text that a claim is judged by."""
    return best_strips(Reading(claim, topic_stems(question)), evidence, count)


def evidence_of(texts: Sequence[str]) -> Evidence:
    """Cut texts into strips."""
    return evidence_for(frozenset(), [Document(id=f"d{i}", text=t) for i, t in enumerate(texts)])


class Paragraphs:
    """Hold the training paragraphs of one data folder, and the questions on each article."""

    def __init__(self, data: Path) -> None:
        """Read them, but for the articles that are kept back."""
        self.texts = {
            row["id"]: row["text"] for row in read_rows(data / "train_paragraphs.jsonl.gz")
        }
        found = read_rows(data / "train_questions.jsonl.gz")
        self.questions = [r for r in found if r["answers"] and not kept_back(r["group"])]
        self.by_article: dict[str, list[Row]] = defaultdict(list)
        for row in self.questions:
            self.by_article[row["group"]].append(row)

    def around(self, row: Row) -> list[str]:
        """Give other paragraphs of the same article."""
        return [self.texts[name] for name in row["neg_same_article"] if name in self.texts]


def statements(paragraphs: Paragraphs, random: Random) -> Iterator[Pair]:
    """Turn answered questions into claims: right, with another's answer, beside other texts."""
    for row in paragraphs.questions:
        own, others = paragraphs.texts[row["paragraph_id"]], paragraphs.around(row)
        right = statement(row["question"], min(row["answers"], key=len))
        near = evidence_of([own, *others] if random.random() < CROWDED else [own])
        yield _pair(row, right, near, random, SUPPORTED)
        if rival := _rival(row, paragraphs.by_article[row["group"]], random):
            yield _pair(row, statement(row["question"], rival), near, random, REFUTED)
        if others:
            yield _pair(row, right, evidence_of(others), random, NOT_MENTIONED)


def _pair(row: Row, claim: str, evidence: Evidence, random: Random, allowed: Allowed) -> Pair:
    second = beside(claim, "", evidence, random.choice(STRIPS))
    return Pair(row["group"], "statements", claim, second, allowed)


def _rival(row: Row, article: Sequence[Row], random: Random) -> str:
    """Draw a wrong answer from a question that opens alike, of the same paragraph if it can be."""
    right = [answer.lower() for answer in row["answers"]]

    def fits(other: Row, answer: str) -> bool:
        alike = _opening(other["question"]) == _opening(row["question"])
        apart = all(answer.lower() not in r and r not in answer.lower() for r in right)
        return alike and apart and len(answer.split()) <= SHORT

    short = [(other, min(other["answers"], key=len)) for other in article]
    found = [(other["paragraph_id"], answer) for other, answer in short if fits(other, answer)]
    near = [answer for place, answer in found if place == row["paragraph_id"]]
    drawn: str = random.choice(near or [answer for _, answer in found] or [""])
    return drawn


def _opening(question: str) -> tuple[str, ...]:
    words = question.lower().split()
    return tuple(words[:2] if words[0] in ("how", "what", "which", "in") else words[:1])


def sentences_swapped(paragraphs: Paragraphs, random: Random) -> Iterator[Pair]:
    """Take sentences of a paragraph as they stand, and with a span swapped."""
    for row in {row["paragraph_id"]: row for row in paragraphs.questions}.values():
        own, others = paragraphs.texts[row["paragraph_id"]], paragraphs.around(row)
        pool, known = pooled(others), frozenset(span.key for span in find_entities(own))
        found = [s.text for s in evidence_of([own]).strips if find_entities(s.text)]
        for claim in random.sample(found, min(2, len(found))):
            yield _pair(row, claim, evidence_of([own]), random, SUPPORTED)
            if wrong := swapped(claim, known, pool, random):
                yield _pair(row, wrong, evidence_of([own]), random, REFUTED)


def questions_beside(paragraphs: Paragraphs) -> Iterator[Pair]:
    """Pair questions with the strips that answer them, and with the likest that do not."""
    for row in paragraphs.questions:
        own = paragraphs.texts[row["paragraph_id"]]
        wrong = evidence_of(paragraphs.around(row)).best(Reading(row["question"]))[:NEGATIVES]
        yield _asked(row, beside(row["question"], "", evidence_of([own]), 3), RELEVANT)
        for strip, _ in wrong[:1]:
            yield _asked(row, strip.text, IRRELEVANT)
        if len(wrong) > 1:
            yield _asked(row, " ".join(strip.text for strip, _ in wrong), IRRELEVANT)


def _asked(row: Row, text: str, allowed: Allowed) -> Pair:
    return Pair(row["group"], "squad", row["question"], f"{row['title']}. {text}", allowed)


def questions_and_sentences(path: Path, random: Random) -> Iterator[Pair]:
    """Pair questions with the sentence that answers them, and with one that stands near it."""
    found = list(read_rows(path))
    for place, row in enumerate(found):
        yield Pair(row["id"], "nqg", row["question"], row["sentence"], RELEVANT)
        near = [r["sentence"] for r in found[max(0, place - 6) : place + 7]]
        wrong = [sentence for sentence in near if sentence != row["sentence"]]
        if wrong:
            yield Pair(row["id"], "nqg", row["question"], random.choice(wrong), IRRELEVANT)


def questions_of_sections(path: Path, random: Random) -> Iterator[Pair]:
    """Pair SelQA's questions with the sentences that answer, and with some that do not."""
    for pair in read_selqa_pairs(path):
        if not kept_back(pair.group) and (pair.relevant or random.random() < UNANSWERED):
            second = f"{pair.title}. {pair.text}"
            allowed = RELEVANT if pair.relevant else IRRELEVANT
            yield Pair(pair.group, "selqa", pair.question, second, allowed)


def made(data: Path, random: Random) -> list[Pair]:
    """Make the pairs of the first stage, from texts whose labels need no person."""
    paragraphs = Paragraphs(data / "squad")
    asked = [
        *questions_beside(paragraphs),
        *questions_and_sentences(data / "squad" / "train_sentence_pairs.jsonl.gz", random),
    ]
    return [
        *statements(paragraphs, random),
        *sentences_swapped(paragraphs, random),
        *random.sample(asked, QUESTIONS),
    ]


def facts(data: Path, random: Random, epoch: int) -> Iterator[Pair]:
    """Pair FActScore's facts with the web page or the article, by turns, and some swapped."""
    for generator in GENERATORS:
        for biography in read_biographies(data, generator):
            documents = (biography.google, biography.gold)
            evidence = [evidence_of([d.text for d in found]) for found in documents]
            pool = pooled(text for text, _ in biography.facts)
            for place, (claim, label) in enumerate(biography.facts):
                here = evidence[(place + epoch) % 2]
                yield _fact(biography.entity, biography.question, claim, here, label, random)
                wrong = label and place % 3 == epoch % 3 and _wrong(claim, evidence, pool, random)
                if wrong:
                    yield _fact(biography.entity, biography.question, wrong, here, False, random)


def _wrong(claim: str, evidence: Sequence[Evidence], pool: Pool, random: Random) -> str:
    known = frozenset(s.key for e in evidence for strip in e.strips for s in strip.entities)
    return swapped(claim, known, pool, random)


def _fact(
    entity: str, question: str, claim: str, evidence: Evidence, label: bool, random: Random
) -> Pair:
    second = beside(claim, question, evidence, random.choice(STRIPS))
    allowed = SUPPORTED if label else UNSUPPORTED
    return Pair(
        entity.lower(), "factscore", with_subject(claim, question_entity(question)), second, allowed
    )


def human(data: Path, random: Random, epoch: int) -> list[Pair]:
    """Gather the pairs of the second stage, which people labelled."""
    found = list(facts(data / "factscore-bio", random, epoch))
    for name, times in HUMAN.items():
        for each in read_claims(data, name):
            found += [_judged(name, each, random)] * times
    return [*found, *questions_of_sections(data / "selqa" / "dev.jsonl.gz", random)]


def _judged(name: str, each: LabelledClaim, random: Random) -> Pair:
    evidence = evidence_of([document.text for document in each.documents])
    second = beside(each.claim, "", evidence, random.choice(STRIPS))
    return Pair(each.group, name, each.claim, second, MEANING.get(each.label, UNSUPPORTED))
