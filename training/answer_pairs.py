"""Questions and claims with a gap, beside texts where the answer stands or does not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata.evals.datasets.rows import Row, read_rows
from errata.tools.judges.cross_encoder import GAP
from errata.tools.judges.entailment import join_strips
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import Strip
from errata.tools.text.words import split_words
from errata.training.excerpts import STRIP_COUNTS, index_texts
from errata.training.pairs import Pair
from errata.training.splits import is_reserved
from errata.training.statements import make_statement
from errata.training.synthetic_pairs import Paragraphs
from errata.training.twin_pairs import Passage

CLAIM_WORDS = range(5, 30)
UNANSWERED = 0.2
"""The share of questions that stand beside a text that does not answer them."""
WORD_SHARE = 0.4
"""The share of gaps that are a content word; the rest are dates, numbers and names."""
MIN_LETTERS = 4
"""The shortest content word that is taken out."""
WHOLE_SHARE = 0.5
"""How often a claim with a gap is its whole sentence, of several clauses."""
_CLAUSE = re.compile(r", (?=(?:and|but|which|who|where|when|while|although) )")


@dataclass(frozen=True)
class _Question:
    """A question with its answer, the text that holds it, and texts that do not."""

    group: str
    question: str
    answer: str
    title: str
    own: str
    others: Sequence[str]


def answer_pairs(
    data: Path, passages: Sequence[Passage], random: Random, count: int
) -> Iterator[Pair]:
    """SQuADShifts' and TyDi's questions, the same as claims with a gap, and `count` sentences."""
    for question in _questions(data):
        yield from _asked(question, random)
    yield from gap_pairs(random.sample(passages, min(count, len(passages))), random)


def _questions(data: Path) -> Iterator[_Question]:
    paragraphs = Paragraphs(data / "squad")
    for row in paragraphs.questions:
        yield _question(row, paragraphs.own(row), paragraphs.others(row))
    folder = data / "extra" / "multilingual"
    rows = read_rows(folder / "tydi_goldp_paragraphs.jsonl.gz")
    texts = {row["id"]: row["text"] for row in rows if row["lang"] == "en"}
    for row in read_rows(folder / "tydi_goldp_questions.jsonl.gz"):
        if row["lang"] == "en" and row["answers"] and not is_reserved(row["group"]):
            others = [texts[name] for name in row["neg_other_article"] if name in texts]
            yield _question(row, texts[row["paragraph_id"]], others)


def _question(row: Row, own: str, others: Sequence[str]) -> _Question:
    answer = min(row["answers"], key=len)
    return _Question(row["group"], row["question"], answer, row["title"] or "", own, others)


def _asked(row: _Question, random: Random) -> Iterator[Pair]:
    """A question, and the claim with a gap that it makes, each beside its own text or another."""
    for source, text in (("asked", row.question), ("gap", make_statement(row.question, GAP))):
        if row.others and random.random() < UNANSWERED:
            evidence, right = index_texts([random.choice(row.others)], row.title), ""
        else:
            evidence, right = index_texts([row.own], row.title), row.answer
        best = _show(text.replace(GAP, ""), right, evidence, random)
        if best:
            yield Pair(row.group, source, text, best, (), answer=right)


def _show(text: str, answer: str, evidence: Evidence, random: Random) -> str:
    """One to three strips that match a text best; the answer is among them."""
    count = random.choice(STRIP_COUNTS)
    strips = evidence.best(Reading(text))[:count]
    holding = [strip for strip in evidence.strips if answer in strip.text]
    if not strips or not holding:
        return ""
    if answer and not any(answer in strip.text for strip in strips):
        strips = [holding[0], *strips[: count - 1]]
    return join_strips(strips, evidence)


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
    if len(clauses) == 1 or random.random() < WHOLE_SHARE:
        return sentence
    own = next((clause for clause in clauses if answer in clause), sentence)
    return own.rstrip(" .,;") + "."
