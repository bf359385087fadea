"""Documents shortened to what concerns some claims, to keep prompts short."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from errata.bounds import cache_in_bounds
from errata.records import Document
from errata.tools.text.ranking import Ranking
from errata.tools.text.sentences import passage_spans, split_sentences
from errata.tools.text.strips import first_strips
from errata.tools.text.words import count_tokens, split_stems

Split = Callable[[str], list[tuple[int, int]]]
"""Finds where the passages, or the sentences, of a text begin and end."""
EACH = 3
"""The most passages or sentences that are chosen for one claim."""


class _Passage(NamedTuple):
    document: Document
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.document.text[self.start : self.end]


def select_passages(
    claims: Sequence[str], documents: Sequence[Document], tokens: int
) -> list[Document]:
    """The passages that match claims best, in their order, as documents with the same ids.

    Every claim has its best passage before any has its second, up to three, as far as they fit
    into `tokens`. Documents that fit as they are stay whole, as they do if no passage shares a
    word with a claim, or `tokens` is 0.
    """
    return _select(claims, documents, tokens, passage_spans)


def select_sentences(
    claims: Sequence[str], documents: Sequence[Document], tokens: int
) -> list[Document]:
    """As `select_passages`, by single sentences."""
    return _select(claims, documents, tokens, split_sentences)


def _select(
    claims: Sequence[str], documents: Sequence[Document], tokens: int, split: Split
) -> list[Document]:
    if not tokens or sum(count_tokens(document.text) for document in documents) <= tokens:
        return list(documents)
    passages, ranking = _index(tuple(documents), split)
    ranked = [[i for i, _ in ranking.best(split_stems(claim), EACH)] for claim in claims]
    chosen = _fill(passages, _in_turn(ranked), tokens)
    return _joined(passages, chosen) or list(documents)


@cache_in_bounds(4)
def _index(documents: tuple[Document, ...], split: Split) -> tuple[Sequence[_Passage], Ranking]:
    """Cached, because many claims are judged and corrected by the same documents."""
    passages = first_strips([_Passage(d, a, b) for d in documents for a, b in split(d.text)])
    texts = (f"{passage.document.title} {passage.text}" for passage in passages)
    return passages, Ranking([split_stems(text) for text in texts])


def _in_turn(ranked: Sequence[Sequence[int]]) -> Iterable[int]:
    """The best of every ranking, then the second of every one, and so on; each once."""
    return dict.fromkeys(own[n] for n in range(EACH) for own in ranked if n < len(own))


def _fill(passages: Sequence[_Passage], order: Iterable[int], tokens: int) -> list[int]:
    """The first passages that fit a budget of tokens, and at least one; in their own order."""
    chosen: list[int] = []
    for number in order:
        cost = count_tokens(passages[number].text)
        if cost <= tokens or not chosen:
            chosen.append(number)
            tokens -= cost
    return sorted(chosen)


def _joined(passages: Sequence[_Passage], chosen: Sequence[int]) -> list[Document]:
    """The chosen passages as documents; neighbours in one document are one."""
    spans: list[_Passage] = []
    for number in chosen:
        passage = passages[number]
        if spans and number - 1 in chosen and spans[-1].document is passage.document:
            spans[-1] = spans[-1]._replace(end=passage.end)
        else:
            spans.append(passage)
    return [replace(span.document, text=span.text) for span in spans]
