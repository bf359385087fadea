"""Knowledge refinement: documents split, their pieces scored, the best kept (CRAG section 4.4).

Also what documents say of some claims: the passages that concern them, and of which none speaks.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Literal, NamedTuple

from errata.core.edits import Span
from errata.core.limits import cache_in_bounds
from errata.core.records import Claim, Document, Knowledge
from errata.tools.judges.evaluator import Evaluator, load_local_evaluator
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.subjects import OPENING, names_subject
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Ranking, first_strips, passage_spans, split_sentences
from errata.tools.text.words import WORD, count_tokens, split_stems, split_words

Mode = Literal["excerption", "fixed_num", "selection"]
"""Strips of three sentences, strips of fifty words, or each document as one strip; a text of one or
two sentences is one strip."""
Split = Callable[[str], Sequence[Span]]
"""Finds where the pieces of a text begin and end."""
SHORT = 2
"""Sentences that make a strip of their own: a whole text, or the end of one."""
SENTENCES = 3
"""Sentences of a strip under `excerption`."""
WORDS, MIN_WORDS = 50, 10
"""Words of a strip under `fixed_num`, and of the last one."""
SCORED = 200
"""The most strips that are scored; of more, those that match the question best."""
WINDOWS = 30
"""The most windows that are scored for a query."""
_PARAGRAPH = re.compile(r"[^\n]*\w[^\n]*")
EACH = 3
"""The most passages or sentences that are chosen for one claim."""
SPEAKS = 0.5
"""The share of a claim's own words from which on a strip speaks of it."""


class Piece(NamedTuple):
    """A stretch of a document."""

    document: Document
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words that stand there."""
        return self.document.text[self.start : self.end]


@cache_in_bounds(8)
def split_documents(documents: tuple[Document, ...], split: Split) -> Sequence[Piece]:
    """As many pieces as are read; cached, as their index is: documents are asked much about."""
    return first_strips([Piece(d, start, end) for d in documents for start, end in split(d.text)])


@cache_in_bounds(8)
def rank_pieces(documents: tuple[Document, ...], split: Split, titled: bool) -> Ranking:
    """An index of the words of documents' pieces, or of their titles as well."""
    pieces = split_documents(documents, split)
    return Ranking(
        [split_stems(f"{p.document.title} {p.text}" if titled else p.text) for p in pieces]
    )


def best_matches(question: str, ranking: Ranking, count: int) -> list[int]:
    """Indices of at most `count` texts that match best by BM25; in text order."""
    stems = [word.stem for word in split_words(question) if word.is_content]
    return sorted(i for i, _ in ranking.best(stems, count))


def refine(
    question: str,
    documents: Sequence[Document],
    mode: Mode | Literal["paragraphs"],
    evaluator: Evaluator,
    top_k: int,
    threshold: float,
    *,
    on_subject: bool = True,
    scored: int = SCORED,
) -> list[Knowledge]:
    """Split documents into strips and keep the best, in the documents' order.

    These are at most `top_k`, with scores of at least the threshold, each once, however often it
    stands under its title; with `on_subject` only those that name what the question does, or whose
    documents do at the beginning. Of more than `scored` strips those are scored that match the
    question best by BM25. Web pages are split into paragraphs (appendix B.3).
    """
    split = (tuple(documents), SPLITS[mode])
    strips = split_documents(*split)
    if len(strips) > scored:
        best = best_matches(question, rank_pieces(*split, False), scored)
        strips = [strips[i] for i in best or range(scored)]
    if on_subject:
        titled = ((f"{s.document.title} . {s.document.text[:OPENING]}", s) for s in strips)
        strips = [s for opening, s in titled if names_subject(question, opening, s.text)]
    rated = _rate(question, strips, evaluator)
    good = [n for n, (score, _) in enumerate(rated) if score >= threshold]
    distinct = dict[tuple[str, ...], int]()
    for n in sorted(good, key=lambda n: -rated[n][0]):
        distinct.setdefault((strips[n].document.title, *strips[n].text.split()), n)
    return [rated[n][1] for n in sorted([*distinct.values()][:top_k])]


def best_windows(
    query: str, documents: Sequence[Document], sentences: int, count: int
) -> list[Knowledge]:
    """At most `count` windows that do not overlap, the most relevant first, with their scores.

    A window has so many sentences and begins at any of a document's. None is chosen that shares no
    word with the query. Raises OutOfTimeError.
    """
    split = (tuple(documents), _windows_of(sentences))
    matching = best_matches(query, rank_pieces(*split, False), WINDOWS)
    windows = [split_documents(*split)[i] for i in matching]
    rated = _rate(query, windows, load_local_evaluator())
    best = list[Knowledge]()
    for _, window in sorted(rated, key=lambda pair: -pair[0]):
        others = (other for other in best if other.document == window.document)
        apart = all(window.end <= o.start or o.end <= window.start for o in others)
        if len(best) < count and apart:
            best.append(window)
    return best


def as_knowledge(document: Document) -> Knowledge:
    """A whole document as one strip, without a score."""
    return Knowledge(
        document=document.id, start=0, end=len(document.text), text=document.text, score=None
    )


def _whole(text: str) -> list[Span]:
    return [(found[0][0], found[-1][1])] if (found := split_sentences(text)) else []


def _by_words(text: str) -> list[Span]:
    if len(split_sentences(text)) <= SHORT:
        return _whole(text)
    return _group([word.span() for word in WORD.finditer(text)], WORDS, MIN_WORDS)


@cache
def _windows_of(sentences: int) -> Split:
    """Finds all windows of so many sentences; a text of fewer is one. Always the same function."""

    def split(text: str) -> list[Span]:
        places = split_sentences(text)
        starts = places[: max(len(places) - sentences + 1, 1)]
        return [(a, places[n : n + sentences][-1][1]) for n, (a, _) in enumerate(starts)]

    return split


SPLITS: dict[Mode | Literal["paragraphs"], Split] = {
    "excerption": lambda text: _group(split_sentences(text), SENTENCES, SHORT),
    "fixed_num": _by_words,
    "selection": _whole,
    "paragraphs": lambda text: [match.span() for match in _PARAGRAPH.finditer(text)],
}


def _group(spans: Sequence[Span], size: int, least: int) -> list[Span]:
    """Join spans in groups; a last group with fewer than `least` spans joins the one before."""
    firsts = list(range(0, len(spans), size))
    if len(firsts) > 1 and len(spans) - firsts[-1] < least:
        firsts.pop()
    lasts = [*firsts[1:], len(spans)] if spans else []
    return [(spans[a][0], spans[b - 1][1]) for a, b in zip(firsts, lasts, strict=True)]


def _rate(
    question: str, pieces: Sequence[Piece], evaluator: Evaluator
) -> list[tuple[float, Knowledge]]:
    """The pieces as knowledge, each after its score."""
    scores = evaluator.score(question, [(piece.document.title, piece.text) for piece in pieces])
    return [
        (score, Knowledge(document=d.id, start=start, end=end, text=d.text[start:end], score=score))
        for score, (d, start, end) in zip(scores, pieces, strict=True)
    ]


def select_passages(
    claims: Sequence[str], documents: Sequence[Document], tokens: int, split: Split = passage_spans
) -> list[Document]:
    """The passages that match claims best, in their order, as documents with the same ids.

    Every claim has its best passage before any has its second, up to three, as far as they fit
    into `tokens`. Documents that fit as they are stay whole, as they do if no passage shares a
    word with a claim, or `tokens` is 0.
    """
    if not tokens or sum(count_tokens(document.text) for document in documents) <= tokens:
        return list(documents)
    pieces = split_documents(tuple(documents), split)
    ranking = rank_pieces(tuple(documents), split, True)
    ranked = [[i for i, _ in ranking.best(split_stems(claim), EACH)] for claim in claims]
    # The best of every ranking, then the second of every one, and so on; each once.
    in_turn = dict.fromkeys(own[n] for n in range(EACH) for own in ranked if n < len(own))
    chosen = list[int]()
    for number in in_turn:
        cost = count_tokens(pieces[number].text)
        if cost <= tokens or not chosen:
            chosen.append(number)
            tokens -= cost
    # Neighbours in one document are one.
    joined: list[Piece] = []
    for number in sorted(chosen):
        piece = pieces[number]
        if joined and number - 1 in chosen and joined[-1].document is piece.document:
            joined[-1] = joined[-1]._replace(end=piece.end)
        else:
            joined.append(piece)
    return [replace(one.document, text=one.text) for one in joined] or list(documents)


select_sentences = partial(select_passages, split=split_sentences)
"""As `select_passages`, by single sentences."""


def find_unspoken(
    question: str, claims: Sequence[Claim], documents: Sequence[Document]
) -> list[Claim]:
    """The claims that no strip speaks of: none has half of the words that are the claim's own."""
    evidence, unspoken = collect_evidence(topic_stems(question), documents), list[Claim]()
    for claim in claims:
        reading = read_claim(claim.text, question)
        own = reading.own_stems
        bags = (strip.bag for strip in evidence.best(reading))
        if all(sum(s in bag for s in own) / (len(own) or 1) < SPEAKS for bag in bags):
            unspoken.append(claim)
    return unspoken


def drop_off_topic(
    question: str, known: Sequence[Document], found: Sequence[Document]
) -> list[Document]:
    """Of what was found beside known documents, that which the verifier would read.

    All have ids. A document that names the question's topic less than others do is on others.
    """
    evidence = collect_evidence(topic_stems(question), [*known, *found])
    read = {strip.document for strip in evidence.strips}
    return [document for document in found if document.id in read]
