"""Claims and evidence in the form that the verifier reads: stems, entities and ranked strips."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache

from errata.core.limits import cache_in_bounds, check_time
from errata.core.records import Claim, Document
from errata.core.words import fold
from errata.tools.text.citations import strip_marks
from errata.tools.text.entities import Entity, find_dates, find_entities, year_of
from errata.tools.text.questions import question_entity, topic_stems
from errata.tools.text.sentences import Ranking, Strip, Worded, first_strips, split_strips
from errata.tools.text.words import content_stems, split_stems, stem_prefixes

_FILES = content_stems(
    "document doc file text page note notes untitled draft copy source passage article input data"
)
"""What files are called whatever they hold."""
LONG = 50_000
"""From how many characters on documents are remembered by themselves, for the memory they take."""
_SPAN = re.compile(r"\d{4}(?:s\b| ?[–-] ?\d)")
RANKED = 64
"""For how many claims the best strips are remembered: each is asked for several times in a row."""
BEST_STRIPS = 4
"""How many strips are the evidence for one claim."""


class Evidence:
    """The strips of one run's documents, indexed once for all claims."""

    def __init__(
        self,
        strips: Sequence[Strip],
        titles: Mapping[str, str] | None = None,
        dates: Mapping[str, str] | None = None,
    ) -> None:
        """Index the strips that have a word; `titles` and `dates` are those of documents."""
        self.strips = [strip for strip in strips if _has_words(strip)]
        self.titles = titles or {}
        self.dates = dates or {}
        self._places = defaultdict[str, list[int]](list)
        """The numbers of the strips that have each stem."""
        for number, strip in enumerate(self.strips):
            for stem in strip.bag:
                self._places[stem].append(number)
        self.bag = frozenset(self._places)
        self.prefixes = stem_prefixes(self.bag)
        self.numbers = {strip: number for number, strip in enumerate(self.strips)}
        self._ranked = lru_cache(RANKED)(Ranking([strip.stems for strip in self.strips]).best)

    @cached_property
    def subjects(self) -> list[frozenset[str]]:
        """The stems of the first name in the opening strip of each document."""
        return [name.stems for name in self._first_names.values()]

    @cached_property
    def openings(self) -> list[Strip]:
        """The first strip of each document."""
        return list({strip.document: strip for strip in reversed(self.strips)}.values())[::-1]

    @cached_property
    def _first_names(self) -> dict[str, Entity]:
        """The first name in the opening strip of each document that has one."""
        named = ((s.document, e) for s in self.openings for e in s.entities if e.kind == "name")
        return {document: name for document, name in reversed(list(named)) if name.stems}

    def heading(self, document: str) -> str:
        """What a document is about: its title, or else the first name in its opening strip."""
        name = self._first_names.get(document)
        return self.titles.get(document) or (name.text if name else "")

    def are_two_sources(self, one: Strip, other: Strip) -> bool:
        """Whether two strips are of documents with different titles, or without any."""
        ours, theirs = (self.titles.get(strip.document, "") for strip in (one, other))
        return one.document != other.document and (not ours or ours != theirs)

    def are_rivals(self, one: Strip, other: Strip) -> bool:
        """Whether two strips are of two sources of which none is known to be newer."""
        ours, theirs = (self.dates.get(strip.document, "") for strip in (one, other))
        return self.are_two_sources(one, other) and not (ours and theirs and ours != theirs)

    def idf(self, stem: str) -> float:
        """A stem's inverse document frequency over the strips."""
        count = len(self._places.get(stem, ()))
        return math.log(1 + (len(self.strips) + 0.5) / (count + 0.5))

    def best(self, claim: "Reading") -> list[Strip]:
        """The four strips that match a claim best by BM25, best first."""
        return [self.strips[place] for place, _ in self._ranked(claim.stems, BEST_STRIPS)]


@dataclass(frozen=True)
class Reading(Worded):
    """A claim, folded, with its stems and entities, computed once."""

    text: str
    topic: frozenset[str] = frozenset()
    """Stems of the names in the question: presupposed by the claim, not asserted."""
    question_entity: str = ""
    """The entity that the question is about; a pronoun at the start of the claim means it."""

    def __post_init__(self) -> None:
        """Fold the text."""
        object.__setattr__(self, "text", fold(self.text))

    @cached_property
    def own_stems(self) -> list[str]:
        """The distinct content stems outside the topic, or else all content stems, or all stems."""
        content = dict.fromkeys(word.stem for word in self.words if word.is_content)
        return [s for s in content if s not in self.topic] or list(content) or list(self.stems)

    @cached_property
    def all_entities(self) -> list[Entity]:
        """All entities, from left to right."""
        return find_entities(self.text)

    @cached_property
    def entities(self) -> list[Entity]:
        """The entities that do not only repeat the topic."""
        return [e for e in self.all_entities if e.kind != "name" or not e.stems <= self.topic]


def read_claim(claim: str, question: str) -> Reading:
    """The reading of a claim whose question names what it presupposes."""
    return Reading(strip_marks(claim), topic_stems(question), question_entity(question))


def read_evidence(
    question: str, claims: Sequence[Claim], documents: Sequence[Document]
) -> Evidence:
    """The strips of the documents that speak of some claim as much as half of the best one does.

    What else lies beside the right document changes no verdict.
    """
    topic = topic_stems(question)
    if len(documents) == 1:
        return collect_evidence(topic, documents)
    readings = [read_claim(claim.text, question) for claim in claims]
    by_document = [(_bags if len(d.text) > LONG else _known_bags)(d) for d in documents]
    kept = set[int]()
    for reading in readings:
        own = set(reading.own_stems) | topic & reading.bag
        shares = [max((len(own & bag) for bag in bags), default=0) for bags in by_document]
        best = max(shares, default=0)
        kept |= {place for place, share in enumerate(shares) if 2 * share > best or not best}
    return collect_evidence(topic, [documents[place] for place in sorted(kept)])


def _bags(document: Document) -> Sequence[frozenset[str]]:
    """The stems of each of a document's strips, with those of its title."""
    title = content_stems(document.title) if tells(document.title) else frozenset[str]()
    return [s.bag | title for s in first_strips(split_strips(document)) if _has_words(s)]


# A correction judges each new sentence by the same documents.
_known_bags = cache_in_bounds(64)(_bags)


def collect_evidence(topic: frozenset[str], documents: Sequence[Document]) -> Evidence:
    """The strips of all given documents, and of those retrieved ones that name the topic best.

    A retrieved document is left out if it has at most half as many topic stems as the best one.
    """
    is_long = sum(len(document.text) for document in documents) > LONG
    return (_collect_long if is_long else _collect_short)(topic, tuple(documents))


def _collect(topic: frozenset[str], documents: tuple[Document, ...]) -> Evidence:
    texts = [(document, split_strips(document)) for document in documents]
    # Later passages of an article name the topic only in its title.
    stems = [set(split_stems(d.title)).union(*(s.bag for s in strips)) for d, strips in texts]
    counts = [len(topic & own) for own in stems]
    half = max(counts, default=0) / 2
    strips = [
        strip
        for count, (document, strips) in zip(counts, texts, strict=True)
        if document.source == "given" or count > half or not half
        for strip in strips
    ]
    titles = {d.id: d.title for d in documents if tells(d.title)}
    dates = {document.id: date_of(document) for document in documents}
    return Evidence(first_strips(strips), titles, dates)


# Several steps of a run, and many rows of a file, read the same documents.
_collect_short, _collect_long = (cache_in_bounds(size)(_collect) for size in (16, 1))


def date_of(document: Document) -> str:
    """The year in a document's title; empty without one, or with several.

    >>> date_of(Document(text="It has 240 members.", title="Leaflet of 2015"))
    '2015'
    """
    years = {year_of(found) for found in find_dates(document.title)} - {""}
    is_one = len(years) == 1 and not _SPAN.search(document.title)
    year = years.pop() if is_one else ""
    return year if year <= str(datetime.now(UTC).year) else ""


def tells(title: str) -> bool:
    """Whether a title says what a document is about; "notes" and "document-17" do not.

    >>> [tells(title) for title in ("Ada Lovelace", "The 2019 report", "x", "document-17")]
    [True, True, False, False]
    """
    return len(content_stems(title) - _FILES) > 1 or any(
        e.kind in ("name", "date") and not e.stems <= _FILES for e in find_entities(title)
    )


def _has_words(strip: Strip) -> bool:
    check_time()
    return bool(strip.stems)
