"""Knowledge refinement: documents split into strips, scored, the best kept (CRAG section 4.4)."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple

from errata.bounds import cache_in_bounds
from errata.records import Document, Knowledge
from errata.tools.judges.evaluator import Evaluator
from errata.tools.judges.subjects import OPENING, names_subject
from errata.tools.local.candidates import best_matches
from errata.tools.text.ranking import Ranking
from errata.tools.text.sentences import split_sentences
from errata.tools.text.strips import first_strips
from errata.tools.text.words import split_stems, split_words

Mode = Literal["excerption", "fixed_num", "selection"]
"""Strips of three sentences, strips of fifty words, or each document as one strip."""
Span = tuple[int, int]
SHORT = 2
"""Sentences that make a strip of their own: a whole text, or the end of one."""
SENTENCES = 3
"""Sentences of a strip under `excerption`."""
WORDS, MIN_WORDS = 50, 10
"""Words of a strip under `fixed_num`, and of the last one."""
SCORED = 500
"""The most strips that are scored; of more, those that match the question best."""
_PARAGRAPH = re.compile(r"[^\n]*\w[^\n]*")


class _Strip(NamedTuple):
    document: Document
    span: Span

    @property
    def text(self) -> str:
        return self.document.text[slice(*self.span)]

    @property
    def opening(self) -> str:
        """What says what the document is about: its title and its beginning."""
        return f"{self.document.title} . {self.document.text[:OPENING]}"


def refine(
    question: str,
    documents: Sequence[Document],
    mode: Mode,
    evaluator: Evaluator,
    top_k: int,
    threshold: float,
    *,
    on_subject: bool = True,
) -> list[Knowledge]:
    """Split documents into strips and keep the best, in the documents' order.

    These are at most `top_k`, with scores of at least the threshold; with `on_subject` only those
    that name what the question does, or whose documents do at the beginning. Of more than 500
    strips those are scored that match the question best by BM25.
    """
    strips = _split_documents(tuple(documents), mode)
    if len(strips) > SCORED:
        best = best_matches(question, _rank_strips(tuple(documents), mode), SCORED)
        strips = [strips[i] for i in best or range(SCORED)]
    if on_subject:
        strips = _on_subject(question, strips)
    return _keep_best(question, strips, evaluator, top_k, threshold)


def select(
    question: str,
    pages: Sequence[Document],
    evaluator: Evaluator,
    top_k: int,
    threshold: float,
    scored: int,
) -> list[Knowledge]:
    """`refine` for web pages: split into paragraphs (appendix B.3).

    At most `scored` of them are scored, those that match the question best by BM25.
    """
    paragraphs = first_strips(_split(pages, paragraph_spans))
    ranking = Ranking([split_stems(paragraph.text) for paragraph in paragraphs])
    candidates = [paragraphs[i] for i in best_matches(question, ranking, scored)]
    return _keep_best(question, _on_subject(question, candidates), evaluator, top_k, threshold)


def as_knowledge(document: Document) -> Knowledge:
    """A whole document as one strip, without a score."""
    return Knowledge(
        document=document.id, start=0, end=len(document.text), text=document.text, score=None
    )


def strip_spans(text: str, mode: Mode) -> list[Span]:
    """The start and end of a text's strips; a text of one or two sentences is one strip."""
    sentences = split_sentences(text)
    if not sentences:
        return []
    if mode == "selection" or len(sentences) <= SHORT:
        return [(sentences[0][0], sentences[-1][1])]
    if mode == "fixed_num":
        return _group([(word.start, word.end) for word in split_words(text)], WORDS, MIN_WORDS)
    return _group(sentences, SENTENCES, SHORT)


def paragraph_spans(text: str) -> list[Span]:
    """The start and end of a text's paragraphs: lines with at least one word."""
    return [match.span() for match in _PARAGRAPH.finditer(text)]


def _group(spans: Sequence[Span], size: int, least: int) -> list[Span]:
    """Join spans in groups; a last group with fewer than `least` spans joins the one before."""
    firsts = list(range(0, len(spans), size))
    if len(firsts) > 1 and len(spans) - firsts[-1] < least:
        firsts.pop()
    lasts = [*firsts[1:], len(spans)]
    return [(spans[a][0], spans[b - 1][1]) for a, b in zip(firsts, lasts, strict=True)]


@cache_in_bounds(4)
def _split_documents(documents: tuple[Document, ...], mode: Mode) -> Sequence[_Strip]:
    """Cached, as is their ranking, because many questions are asked about the same documents."""
    return first_strips(_split(documents, partial(strip_spans, mode=mode)))


@cache_in_bounds(4)
def _rank_strips(documents: tuple[Document, ...], mode: Mode) -> Ranking:
    return Ranking([split_stems(strip.text) for strip in _split_documents(documents, mode)])


def _split(documents: Sequence[Document], spans: Callable[[str], list[Span]]) -> list[_Strip]:
    return [_Strip(document, span) for document in documents for span in spans(document.text)]


def _on_subject(question: str, strips: Sequence[_Strip]) -> Sequence[_Strip]:
    return [strip for strip in strips if names_subject(question, strip.opening, strip.text)]


def _keep_best(
    question: str, strips: Sequence[_Strip], evaluator: Evaluator, top_k: int, threshold: float
) -> list[Knowledge]:
    scores = evaluator.score(question, [(strip.document.title, strip.text) for strip in strips])
    good = [i for i, score in enumerate(scores) if score >= threshold]
    best = sorted(sorted(good, key=lambda i: -scores[i])[:top_k])
    return [
        Knowledge(
            document=strips[i].document.id,
            start=strips[i].span[0],
            end=strips[i].span[1],
            text=strips[i].text,
            score=scores[i],
        )
        for i in best
    ]
