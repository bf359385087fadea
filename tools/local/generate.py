"""The local fillers of the generate role: sentences of the documents, no word of their own."""

from collections.abc import Sequence

from errata.records import Document
from errata.tools.judges.evaluator import Evaluator
from errata.tools.text.ranking import Ranking
from errata.tools.text.strips import split_strips
from errata.tools.text.words import split_words

SENTENCES = 3
CANDIDATES = 20
"""How many sentences are scored for an answer; the others share too few words with the question."""
CLOSE = 0.2
"""How much lower than the best a sentence may be scored to be told beside it."""


def generate(question: str, documents: Sequence[Document]) -> str:
    """Give the best strips in the order they stand; empty where none shares a word."""
    found = [strip for document in documents for strip in split_strips(document)]
    asked = [word.stem for word in split_words(question) if word.is_content]
    best = Ranking([strip.stems for strip in found]).best(asked, SENTENCES)
    return " ".join(" ".join(found[i].text.split()) for i in sorted(i for i, _ in best))


def generate_answer(question: str, documents: Sequence[Document], evaluator: Evaluator) -> str:
    """Give the sentence that the evaluator scores best, and those close to it, as they stand."""
    found = [(document, strip) for document in documents for strip in split_strips(document)]
    asked = [word.stem for word in split_words(question) if word.is_content]
    likely = Ranking([strip.stems for _, strip in found]).best(asked, CANDIDATES)
    chosen = sorted(i for i, _ in likely) or list(range(min(1, len(found))))
    told = [(found[i][0].title, " ".join(found[i][1].text.split())) for i in chosen]
    scores = evaluator.score(question, told)
    best = sorted(scores, reverse=True)[:SENTENCES]
    least = max(best[0] - CLOSE, best[-1]) if best else 0.0
    return " ".join(t for (_, t), score in zip(told, scores, strict=True) if score >= least)
