"""The generate role of RAC and CRAG: sentences of the documents, word for word."""

from collections.abc import Sequence

from errata.records import Document
from errata.tools.judges.evaluator import Evaluator
from errata.tools.judges.subjects import Subject, find_subject
from errata.tools.local.candidates import best_matches
from errata.tools.local.cues import find_cue
from errata.tools.text.entities import find_entities
from errata.tools.text.ranking import Ranking
from errata.tools.text.strips import Strip, split_strips
from errata.tools.text.words import PREFIX, content_stems, split_stems, stem_prefixes

SENTENCES = 3
CANDIDATES = 20
"""Sentences that the evaluator scores; the others share too few words with the question."""
MARGIN = 0.3
"""How far below the best score another sentence of the answer may be."""
CUE = 0.8
"""What it adds to a sentence's score that it has words which say what is asked."""


def generate(question: str, documents: Sequence[Document]) -> str:
    """The three sentences that match the question best, in the documents' order.

    Empty if no sentence shares a word with the question.
    """
    strips = [strip for document in documents for strip in split_strips(document)]
    best = best_matches(question, Ranking([strip.stems for strip in strips]), SENTENCES)
    return " ".join(_on_one_line(strips[i].text) for i in best)


def generate_answer(question: str, documents: Sequence[Document], evaluator: Evaluator) -> str:
    """The sentence that answers best, and the next two that come close to it, in text order.

    That is by the evaluator, and by the words with which texts say what is asked.
    """
    strips = _distinct([(document, s) for document in documents for s in split_strips(document)])
    ranking = Ranking([strip.stems for _, strip in strips])
    matching = best_matches(question, ranking, CANDIDATES)
    cue = find_cue(question)
    cued = [i for i, (_, strip) in enumerate(strips) if cue and cue.search(strip.text)]
    indices = sorted({*matching, *cued[:CANDIDATES]})
    candidates = [strips[i] for i in indices] or strips[:1]
    subject = find_subject(question)
    texts = [
        (document.title or _named(subject, document), _on_one_line(strip.text))
        for document, strip in candidates
    ]
    scores = [
        score + CUE * bool(cue and cue.search(text))
        for score, (_, text) in zip(evaluator.score(question, texts), texts, strict=True)
    ]
    best = sorted(scores, reverse=True)[:SENTENCES]
    least = max(best[0] - MARGIN, best[-1]) if best else 0.0
    return " ".join(t for (_, t), score in zip(texts, scores, strict=True) if score >= least)


def _distinct(strips: Sequence[tuple[Document, Strip]]) -> list[tuple[Document, Strip]]:
    """The strips without those that hold, or stand in, one before them word for word."""
    kept: list[tuple[Document, Strip]] = []
    seen: list[str] = []
    for document, strip in strips:
        said = f" {' '.join(strip.stems)} "
        if not any(said in before or before in said for before in seen):
            kept.append((document, strip))
            seen.append(said)
    return kept


def _named(subject: Subject | None, document: Document) -> str:
    """The subject's name for an untitled text that holds it: its sentences may say "he"."""
    holds = subject and subject.relation("", document.text) == "mentioned"
    return subject.name if subject and holds else ""


def find_unread(answer: str, texts: Sequence[str]) -> list[str]:
    """The names, dates and numbers of an answer of which no text holds a word.

    >>> find_unread("Ada Lovelace, in Paris.", ["Lovelace was born in London."])
    ['Paris']
    """
    read = frozenset(stem for text in texts for stem in split_stems(text))
    prefixes = stem_prefixes(read)
    named = {entity.text: content_stems(entity.text) for entity in find_entities(answer)}
    return [
        name
        for name, stems in named.items()
        if stems and not any(s in read or s[:PREFIX] in prefixes for s in stems)
    ]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
