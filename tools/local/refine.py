"""Documents cut into strips, scored, and the best recomposed (CRAG section 4.4)."""

import re
from collections.abc import Sequence
from typing import Literal

from errata.records import Document, Knowledge
from errata.tools.judges.evaluator import Evaluator
from errata.tools.text.ranking import Ranking
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import split_words

Mode = Literal["excerption", "fixed_num", "selection"]
Place = tuple[int, int]
SHORT = 2
"""A document of so few sentences is a strip as it stands."""
RUN = 3
"""How many sentences make an excerpt."""
WINDOW, TAIL = 50, 10
"""How many words make a window, and how few are left to the one before."""
CANDIDATES = 40
"""How many paragraphs of the web are scored; the others share too few words with the question."""
_PARAGRAPH = re.compile(r"[^\n]*\w[^\n]*")


def refine(
    question: str,
    documents: Sequence[Document],
    mode: Mode,
    evaluator: Evaluator,
    top_k: int,
    threshold: float,
) -> list[Knowledge]:
    """Keep of all documents the best strips scored at least the threshold, in their order."""
    strips = [(d, place) for d in documents for place in strip_places(d.text, mode)]
    return _best(question, strips, evaluator, top_k, threshold)


def select(
    question: str, pages: Sequence[Document], evaluator: Evaluator, top_k: int, threshold: float
) -> list[Knowledge]:
    """Keep of all pages the best paragraphs scored at least the threshold, in their order."""
    found = [(page, match.span()) for page in pages for match in _PARAGRAPH.finditer(page.text)]
    stems = [[word.stem for word in split_words(page.text[a:b])] for page, (a, b) in found]
    asked = [word.stem for word in split_words(question) if word.is_content]
    likely = sorted(i for i, _ in Ranking(stems).best(asked, CANDIDATES))
    return _best(question, [found[i] for i in likely], evaluator, top_k, threshold)


def as_knowledge(document: Document) -> Knowledge:
    """Give a document as one strip."""
    return Knowledge(
        document=document.id, start=0, end=len(document.text), text=document.text, score=None
    )


def strip_places(text: str, mode: Mode) -> list[Place]:
    """Give where a text's strips begin and end; one or two sentences stay whole."""
    found = split_sentences(text)
    if not found:
        return []
    if mode == "selection" or len(found) <= SHORT:
        return [(found[0][0], found[-1][1])]
    if mode == "fixed_num":
        return _runs([(word.start, word.end) for word in split_words(text)], WINDOW, TAIL)
    return _runs(found, RUN, SHORT)


def _runs(places: Sequence[Place], size: int, least: int) -> list[Place]:
    """Join places in runs of a size; a last run of fewer than the least joins the one before."""
    firsts = list(range(0, len(places), size))
    if len(firsts) > 1 and len(places) - firsts[-1] < least:
        firsts.pop()
    lasts = [*firsts[1:], len(places)]
    return [(places[a][0], places[b - 1][1]) for a, b in zip(firsts, lasts, strict=True)]


def _best(
    question: str,
    strips: Sequence[tuple[Document, Place]],
    evaluator: Evaluator,
    top_k: int,
    threshold: float,
) -> list[Knowledge]:
    scores = evaluator.score(question, [(d.title, d.text[a:b]) for d, (a, b) in strips])
    good = [i for i, score in enumerate(scores) if score >= threshold]
    kept = sorted(sorted(good, key=lambda i: -scores[i])[:top_k])
    return [
        Knowledge(document=d.id, start=a, end=b, text=d.text[a:b], score=scores[i])
        for i, (d, (a, b)) in ((i, strips[i]) for i in kept)
    ]
