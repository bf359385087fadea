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
NAMESAKE_MARGIN = 0.8
"""The same for the best sentence of a document under another title."""
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
    subject = find_subject(question)
    strips = _distinct([(document, s) for document in documents for s in split_strips(document)])
    strips = [(d, s) for d, s in strips if not (subject and subject.is_all_of(s.text))] or strips
    ranking = Ranking([strip.stems for _, strip in strips])
    matching = best_matches(question, ranking, CANDIDATES)
    cue = find_cue(question)
    cued = [i for i, (_, strip) in enumerate(strips) if cue and cue.search(strip.text)]
    indices = sorted({*matching, *cued[:CANDIDATES]})
    candidates = [strips[i] for i in indices] or strips[:1]
    texts = [
        (document.title or _named(subject, document), _on_one_line(strip.text))
        for document, strip in candidates
    ]
    scores = [
        score + CUE * bool(cue and cue.search(text))
        for score, (_, text) in zip(evaluator.score(question, texts), texts, strict=True)
    ]
    titles = [title for title, _ in texts]
    return " ".join(texts[i][1] for i in _best_sentences(scores, titles))


def _best_sentences(scores: Sequence[float], titles: Sequence[str]) -> list[int]:
    """The places of at most three sentences: the best, and what comes close to it.

    Of things of the same name the best sentence of each may be a little further off.
    """
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    first = {titles[i]: i for i in reversed(order)}.values()
    chosen = [
        i
        for i in order
        if scores[i] >= scores[order[0]] - (NAMESAKE_MARGIN if i in first else MARGIN)
    ]
    return sorted(chosen[:SENTENCES])


def _distinct(strips: Sequence[tuple[Document, Strip]]) -> list[tuple[Document, Strip]]:
    """The strips without those that stand in one before them, or add no word to one."""
    kept: list[tuple[Document, Strip]] = []
    seen: list[tuple[str, frozenset[str]]] = []
    for document, strip in strips:
        said = f" {' '.join(strip.stems)} "
        if not any(said in text or (text in said and strip.bag <= bag) for text, bag in seen):
            kept.append((document, strip))
            seen.append((said, strip.bag))
    return kept


def _named(subject: Subject | None, document: Document) -> str:
    """The subject's name for an untitled text that holds it: its sentences may say "he"."""
    holds = subject and subject.relation("", document.text) in ("own", "mentioned")
    return subject.name if subject and holds else ""


def find_unread(answer: str, texts: Sequence[str]) -> list[str]:
    """The names, dates and numbers of an answer of which no text holds a word, or not each figure.

    >>> find_unread("Ada Lovelace, in Paris.", ["Lovelace was born in London."])
    ['Paris']
    >>> find_unread("On 8 May 1866.", ["Born on 8 May 1867."])
    ['8 May 1866']
    """
    read = frozenset(stem for text in texts for stem in split_stems(text))
    prefixes = stem_prefixes(read)
    named = {entity.text: content_stems(entity.text) for entity in find_entities(answer)}
    return [
        name
        for name, stems in named.items()
        if stems
        and (
            any(stem[0].isdigit() and stem not in read for stem in stems)
            or not any(stem in read or stem[:PREFIX] in prefixes for stem in stems)
        )
    ]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
