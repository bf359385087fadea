"""Refined knowledge (CRAG section 4.4): documents split, the best pieces kept, also for claims."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import chain
from math import log
from typing import Literal, NamedTuple

from errata.core.edits import Span
from errata.core.limits import cache_in_bounds
from errata.core.records import Document, Knowledge
from errata.tools.judges.evaluator import Text
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.subjects import OPENING, names_subject
from errata.tools.text.pronouns import ANY_PRONOUN
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Ranking, first_strips, split_sentences
from errata.tools.text.words import WORD, content_words, count_tokens, split_stems

Mode = Literal["excerption", "fixed_num", "selection"]
"""Strips of three sentences, strips of fifty words, or each document as one strip; a text of one or
two sentences is one strip."""
Split = Callable[[str], Sequence[Span]]
SHORT = 2  # sentences that make a strip of their own: a whole text, or the end of one
SENTENCES, WORDS, MIN_WORDS = 3, 50, 10
"""Sentences of a strip under `excerption`; words of one under `fixed_num`, and of the last."""
SCORED = 200  # the most strips that are scored; of more, those that match the question best
Cover = tuple[float, dict[str, float], list[str]]
"""How well a sentence matches a claim, what is left of its weights, the stems that they share."""
_PARAGRAPH = re.compile(r"[^\n]*\w[^\n]*")
EACH = 300  # the most tokens of documents that are chosen for one claim
LEAST = 0.0002  # the least share of a claim that each token of a further sentence has to cover
OVERHEAD = 8  # the tokens that a sentence costs beside its own: a number and a line, or a title
FRAGMENT = 4  # the most words of a heading, or of what is left of a sentence that was cut
HEADING = 2  # the most words that say nothing without what they stand over
_SAYS = re.compile(r"[\d|:](?!\Z)")
"""What a few words have that say something: a number, or two cells or halves."""
SPEAKS = 0.5  # the share of a claim's own words from which on a strip speaks of it


class DocumentPart(NamedTuple):
    """A stretch of a document."""

    document: Document
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words that stand there."""
        return self.document.text[self.start : self.end]

    @property
    def titled(self) -> Text:
        """Its document's title and its words, as an evaluator reads them."""
        return self.document.title, self.text


@cache_in_bounds(8)
def split_documents(documents: tuple[Document, ...], split: Split) -> Sequence[DocumentPart]:
    """As many pieces as are read; cached, as their index is: documents are asked much about."""
    return first_strips(
        [DocumentPart(d, start, end) for d in documents for start, end in split(d.text)]
    )


@cache_in_bounds(8)
def rank_pieces(documents: tuple[Document, ...], split: Split) -> Ranking:
    """An index of the words of documents' pieces."""
    return Ranking([split_stems(piece.text) for piece in split_documents(documents, split)])


def best_matches(question: str, ranking: Ranking, count: int) -> list[int]:
    """Indices of at most `count` texts that match best by BM25; in text order."""
    return sorted(i for i, _ in ranking.best(content_words(question), count))


def find_strips(
    question: str,
    documents: Sequence[Document],
    mode: Mode | Literal["paragraphs"],
    *,
    on_subject: bool = True,
    scored: int = SCORED,
) -> list[DocumentPart]:
    """The strips of documents that are scored: at most so many, those that match best by BM25.

    With `on_subject` they are those that name what the question does, or whose documents do at the
    beginning. Web pages are split into paragraphs (appendix B.3).
    """
    split = (tuple(documents), SPLITS[mode])
    strips = split_documents(*split)
    if len(strips) > scored:
        best = best_matches(question, rank_pieces(*split), scored)
        strips = [strips[i] for i in best or range(scored)]
    if not on_subject:
        return list(strips)
    titled = ((f"{s.document.title} . {s.document.text[:OPENING]}", s) for s in strips)
    return [s for opening, s in titled if names_subject(question, opening, s.text)]


def keep_best(
    strips: Sequence[DocumentPart], scores: Sequence[float], top_k: int, threshold: float
) -> list[Knowledge]:
    """The best strips as knowledge with their scores, in the documents' order.

    These are at most `top_k`, with scores of at least the threshold, each once, however often it
    stands under its title.
    """
    good = [n for n, score in enumerate(scores) if score >= threshold]
    distinct = dict[tuple[str, ...], int]()
    for n in sorted(good, key=lambda n: -scores[n]):
        distinct.setdefault((strips[n].document.title, *strips[n].text.split()), n)
    return [
        Knowledge(document=d.id, start=start, end=end, text=d.text[start:end], score=scores[n])
        for n in sorted([*distinct.values()][:top_k])
        for d, start, end in [strips[n]]
    ]


def as_knowledge(document: Document) -> Knowledge:
    """A whole document as one strip, without a score."""
    return Knowledge(document=document.id, start=0, end=len(document.text), text=document.text)


def _whole(text: str) -> list[Span]:
    return [(found[0][0], found[-1][1])] if (found := split_sentences(text)) else []


def _by_words(text: str) -> list[Span]:
    if len(split_sentences(text)) <= SHORT:
        return _whole(text)
    return _group([word.span() for word in WORD.finditer(text)], WORDS, MIN_WORDS)


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


def select_passages(
    claims: Sequence[str], documents: Sequence[Document], tokens: int
) -> list[Document]:
    """The sentences that cover the words of claims best, as documents with the same ids.

    They stand in their order, take at most `tokens`, and `EACH` a claim. A sentence that opens with
    a pronoun, or under a heading, brings the one before. Documents that fit as they are stay whole,
    as they do if no sentence shares a telling word with a claim, or `tokens` is 0.
    """
    if not tokens or sum(count_tokens(document.text) for document in documents) <= tokens:
        return list(documents)
    pieces = split_documents(tuple(documents), split_sentences)
    costs = [count_tokens(piece.text) for piece in pieces]
    left, chosen = min(tokens, EACH * len(claims)), set[int]()
    for number in _order_by_cover(claims, index_sentences(tuple(documents)), costs):
        for group in ({number - 1, number} if _leans(pieces, number) else {number}, {number}):
            cost = sum(costs[n] for n in group - chosen)
            if cost <= left or not chosen:
                chosen |= group
                left -= cost
                break
        if left <= OVERHEAD:
            break
    # Neighbours in one document are one.
    joined: list[DocumentPart] = []
    for number in sorted(chosen):
        piece = pieces[number]
        if joined and number - 1 in chosen and joined[-1].document is piece.document:
            joined[-1] = joined[-1]._replace(end=piece.end)
        else:
            joined.append(piece)
    return [replace(one.document, text=one.text) for one in joined] or list(documents)


@cache_in_bounds(8)
def index_sentences(documents: tuple[Document, ...]) -> dict[str, list[int]]:
    """The numbers of the sentences, headings aside, that have each stem or whose title has it."""
    places = defaultdict[str, list[int]](list)
    for number, piece in enumerate(split_documents(documents, split_sentences)):
        if len(piece.text.split()) > HEADING or _SAYS.search(piece.text):
            for stem in set(split_stems(f"{piece.document.title} {piece.text}")):
                places[stem].append(number)
    return dict(places)


def _order_by_cover(
    claims: Sequence[str], places: Mapping[str, Sequence[int]], costs: Sequence[int]
) -> Iterator[int]:
    """The sentence that covers most for its tokens, then of the rest, while that is worth it."""
    covers = _find_covers(claims, places, len(costs))

    def gain(place: int) -> float:
        covered = sum(share * sum(rest[s] for s in own) for share, rest, own in covers[place])
        return covered / (costs[place] + OVERHEAD)

    heap = [(-gain(place), place) for place in covers]
    heapify(heap)
    while heap:
        _, place = heappop(heap)
        now = (-gain(place), place)
        if heap and now > heap[0]:
            heappush(heap, now)
            continue
        if -now[0] < LEAST:
            return
        yield place
        for share, rest, own in covers[place]:
            rest.update({stem: rest[stem] * (1 - share) for stem in own})


def _find_covers(
    claims: Sequence[str], places: Mapping[str, Sequence[int]], count: int
) -> dict[int, list[Cover]]:
    """By sentence, of `count`, what it covers of each claim that it shares a word with.

    A claim's words weigh 1 together, each the more the fewer sentences and claims have it. A
    sentence covers them as far as it has the claim's other words.
    """
    stems = [dict.fromkeys(content_words(claim)) for claim in claims]
    siblings, covers = Counter(chain.from_iterable(stems)), defaultdict[int, list[Cover]](list)
    for own in stems:
        telling = [stem for stem in own if 0 < len(places.get(stem, ())) < count]
        weights = [log(count / len(places[s])) / siblings[s] ** 0.5 for s in telling]
        rest = {s: w / sum(weights) for s, w in zip(telling, weights, strict=True)}
        shared = defaultdict[int, list[str]](list)
        for stem in telling:
            for place in places[stem]:
                shared[place].append(stem)
        for place, found in shared.items():
            covers[place].append((sum(rest[s] for s in found) ** 2, rest, found))
    return covers


def _leans(pieces: Sequence[DocumentPart], number: int) -> bool:
    """Whether a sentence opens with a pronoun, or the one before is a heading or a fragment."""
    before, piece = pieces[number - 1], pieces[number]
    leans = ANY_PRONOUN.match(piece.text) or len(before.text.split()) <= FRAGMENT
    return number > 0 and before.document is piece.document and bool(leans)


def speak_of(question: str, text: str, documents: Sequence[Document]) -> bool:
    """Whether a strip of the documents has half of the words that are a text's own."""
    reading = read_claim(text, question)
    strips = collect_evidence(topic_stems(question), documents).best(reading)
    least = SPEAKS * len(reading.own_stems)
    return any(sum(stem in strip.bag for stem in reading.own_stems) >= least for strip in strips)


def drop_off_topic(
    question: str, known: Sequence[Document], found: Sequence[Document]
) -> list[Document]:
    """Of what was found beside known documents, all with ids, what the verifier would read."""
    evidence = collect_evidence(topic_stems(question), [*known, *found])
    read = {strip.document for strip in evidence.strips}
    return [document for document in found if document.id in read]
