"""Questions and claims with a gap, beside texts where the answer stands or does not."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from errata.evals.datasets import read_rows
from errata.tools.judges.answers import GAP
from errata.tools.judges.entailment import join_strips
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.entities import find_entities
from errata.tools.text.strips import Strip
from errata.tools.text.words import split_words
from errata.training.pairs import Pair, index_texts
from errata.training.splits import is_reserved
from errata.training.statements import make_statement
from errata.training.synthetic_pairs import Paragraphs
from errata.training.twin_pairs import Passage

STRIPS = 3
"""How many strips a gap is shown with."""
CLAIM_WORDS = range(5, 30)
UNANSWERED = 0.2
"""The share of questions that stand beside a text that does not answer them."""
WORD_SHARE = 0.4
"""The share of gaps that are a content word, or two; the rest are dates, numbers and names."""
MIN_LETTERS = 4
"""The shortest content word that is taken out."""
SAME_ORDER = 0.5
"""How often a claim with a gap keeps the order of its sentence's clauses."""
_CLAUSE = re.compile(r", (?=(?:and|but|which|who|where|when|while|although) )")


def answer_pairs(
    data: Path, passages: Sequence[Passage], random: Random, count: int
) -> Iterator[Pair]:
    """SQuADShifts' and TyDi's questions, the same as claims with a gap, and `count` sentences."""
    for question, title, own, others, answers, group in _questions(data):
        yield from _asked(question, title, own, others, answers, group, random)
    yield from gap_pairs(random.sample(passages, min(count, len(passages))), random)


_Question = tuple[str, str, str, list[str], list[str], str]


def _questions(data: Path) -> Iterator[_Question]:
    """Questions with title, own text, other texts, answers and group."""
    paragraphs = Paragraphs(data / "squad")
    for row in paragraphs.questions:
        own, others = paragraphs.own(row), paragraphs.others(row)
        yield row["question"], row["title"], own, others, row["answers"], row["group"]
    folder = data / "extra" / "multilingual"
    rows = read_rows(folder / "tydi_goldp_paragraphs.jsonl.gz")
    texts = {row["id"]: row["text"] for row in rows if row["lang"] == "en"}
    for row in read_rows(folder / "tydi_goldp_questions.jsonl.gz"):
        if row["lang"] == "en" and row["answers"] and not is_reserved(row["group"]):
            others = [texts[name] for name in row["neg_other_article"] if name in texts]
            own, answers = texts[row["paragraph_id"]], row["answers"]
            yield row["question"], row["title"] or "", own, others, answers, row["group"]


def _asked(
    question: str,
    title: str,
    own: str,
    others: Sequence[str],
    answers: Sequence[str],
    group: str,
    random: Random,
) -> Iterator[Pair]:
    answer = min(answers, key=len)
    for source, text in (("asked", question), ("gap", make_statement(question, GAP))):
        if others and random.random() < UNANSWERED:
            evidence, right = index_texts([random.choice(others)], title), ""
        else:
            evidence, right = index_texts([own], title), answer
        best = _show(text.replace(GAP, ""), right, evidence, random)
        if best:
            yield Pair(group, source, text, best, (), answer=right)


def _show(text: str, answer: str, evidence: Evidence, random: Random) -> str:
    """One to three strips that match a text best; the answer is among them."""
    count = random.choice((1, 2, 3, 3))
    strips = [strip for strip, _ in evidence.best(Reading(text))][:STRIPS]
    holding = [strip for strip in evidence.strips if answer in strip.text]
    if not strips or not holding:
        return ""
    chosen = strips[:count]
    if answer and not any(answer in strip.text for strip in chosen):
        chosen = [holding[0], *chosen[: count - 1]]
    return join_strips(chosen, evidence)


def gap_pairs(passages: Sequence[Passage], random: Random) -> Iterator[Pair]:
    """A sentence of each passage with a gap, beside one to three of its strips."""
    for passage in passages:
        evidence = index_texts([passage.text], passage.title)
        fitting = [s for s in evidence.strips if len(s.text.split()) in CLAIM_WORDS]
        if not fitting:
            continue
        strip = random.choice(fitting)
        answer = _draw_answer(strip, random)
        if answer and strip.text.count(answer) == 1:
            claim = _shorten(strip.text, answer, random).replace(answer, GAP)
            rest = [other for other in evidence.strips if other is not strip]
            chosen = [strip, *random.sample(rest, min(len(rest), random.choice((0, 1, 2))))]
            shown = join_strips(chosen, evidence)
            if shown.count(answer) == 1:
                yield Pair(passage.group, "gap word", claim, shown, (), answer=answer)


def _draw_answer(strip: Strip, random: Random) -> str:
    entities = [entity.text for entity in find_entities(strip.text)]
    words = [w.text for w in split_words(strip.text) if w.is_content and len(w.text) >= MIN_LETTERS]
    kinds = words if random.random() < WORD_SHARE else entities
    return random.choice(kinds or words or [""])


def _shorten(sentence: str, answer: str, random: Random) -> str:
    """The sentence, or half the time only the clause with the answer."""
    clauses = _CLAUSE.split(sentence)
    if len(clauses) == 1 or random.random() < SAME_ORDER:
        return sentence
    own = next((clause for clause in clauses if answer in clause), sentence)
    return own.rstrip(" .,;") + "."
