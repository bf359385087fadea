"""The stretches of documents that speak of a query best: windows of some sentences each."""

from collections.abc import Sequence

from errata.bounds import cache_in_bounds
from errata.records import Document, Knowledge
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.local.refine import best_matches
from errata.tools.text.ranking import Ranking
from errata.tools.text.sentences import split_sentences
from errata.tools.text.strips import first_strips
from errata.tools.text.words import split_stems

SCORED = 30
"""The most windows that are scored for a query; of more, those that match it best by BM25."""


def best_windows(
    query: str, documents: Sequence[Document], sentences: int, count: int
) -> list[Knowledge]:
    """At most `count` windows that do not overlap, the most relevant first, with their scores.

    A window has so many sentences and begins at any of a document's. None is chosen that shares no
    word with the query. Raises OutOfTimeError.
    """
    windows = _windows(tuple(documents), sentences)
    found = [windows[i] for i in best_matches(query, _rank(tuple(documents), sentences), SCORED)]
    titles = {document.id: document.title for document in documents}
    texts = [(titles[window.document], window.text) for window in found]
    scores = load_local_evaluator().score(query, texts)
    best = list[Knowledge]()
    for score, window in sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0]):
        if len(best) < count and not any(_overlap(window, other) for other in best):
            fields = {**vars(window), "score": score}
            best.append(Knowledge(**fields))
    return best


def _overlap(one: Knowledge, other: Knowledge) -> bool:
    apart = one.end <= other.start or other.end <= one.start
    return one.document == other.document and not apart


@cache_in_bounds(4)
def _windows(documents: tuple[Document, ...], sentences: int) -> Sequence[Knowledge]:
    """Cached, as is their ranking, because many queries are asked about the same documents."""
    return first_strips([w for document in documents for w in _split(document, sentences)])


@cache_in_bounds(4)
def _rank(documents: tuple[Document, ...], sentences: int) -> Ranking:
    return Ranking([split_stems(window.text) for window in _windows(documents, sentences)])


def _split(document: Document, sentences: int) -> list[Knowledge]:
    """All windows of a document; a document of fewer sentences is one."""
    places = split_sentences(document.text)
    starts = places[: max(len(places) - sentences + 1, 1)]
    ends = (places[min(n + sentences, len(places)) - 1][1] for n in range(len(starts)))
    return [
        Knowledge(document=document.id, start=a, end=b, text=document.text[a:b])
        for (a, _), b in zip(starts, ends, strict=True)
    ]
