"""A claim beside one strip: how many words they share, and whether they speak of the same thing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.clauses import FINITE, deny_alike, find_subject, split_clauses
from errata.tools.text.entities import Entity
from errata.tools.text.sentences import Strip
from errata.tools.text.words import PREFIX, Word, content_stems, split_stems, synonyms_of

Kind = Literal[
    "negation", "opposite", "quantity", "scale", "date", "time", "ordinal", "place", "name", "life",
    "roles", "conflict",
]  # fmt: skip
LEAST = 2
"""The fewest words that claim and strip must share."""
_VERB = re.compile(FINITE)
AGREED = 0.8
"""The share of a claim's words that a strip of another document needs to bear it out."""
SHORT = 10
"""A strip of at most so many words need share only one with a claim that has no others."""
OPENING = 12
"""How many characters into a text its subject may begin."""
BEGINNING = 160
"""How many characters of a text its subject is looked for in."""


@dataclass(frozen=True)
class Difference:
    """What a claim says, and what a strip says in its place."""

    kind: Kind
    claimed: str
    stated: str
    strip: Strip
    shared: float
    """The share of the claim's other words, by idf, that the strip has."""
    replacement: str = ""
    """What can stand in place of what the claim says; empty where that is not clear."""
    borne_out: Strip | None = None
    """The strip of another document that says the same as the claim."""

    @property
    def explanation(self) -> str:
        """The difference in words."""
        if self.kind == "negation":
            return self.stated
        if self.kind == "roles":
            return f"the evidence has {self.claimed} and {self.stated} the other way round"
        return f"the claim says {self.claimed}; the evidence says {self.stated}"


@dataclass(frozen=True)
class Pair:
    """A claim beside one strip."""

    claim: Reading
    strip: Strip
    evidence: Evidence
    presupposed: frozenset[str]
    """The stems of what the question, or a document that the claim names, is about."""

    @cached_property
    def known(self) -> frozenset[str]:
        """What the strip need not name: what is presupposed, unless it is on something else."""
        return frozenset() if is_on_another(self.claim, self.strip) else self.presupposed

    def shared(self, apart: Iterable[str], within: frozenset[str] | None = None) -> float:
        """The share of the claim's words that the strip has, by idf; some left out.

        What the question or the document is about need not be named again.
        """
        bag = self.strip.bag if within is None else within
        known = self.known
        left = set(self.claim.own_stems) - set(apart) - known
        have = {s for s in left if s in bag or is_like(s, bag)}
        named = known & self.claim.bag & self.strip.bag
        is_short = len(self.strip.words) <= SHORT and have == left and bool(have)
        if len(have) + bool(named and within is None) < LEAST and not is_short:
            return 0.0
        total = sum(map(self.evidence.idf, left))
        return sum(map(self.evidence.idf, have)) / total if total else 0.0

    @cached_property
    def clause(self) -> Sequence[Word]:
        """The words of the strip's clause that has most of the claim's."""
        own = set(self.claim.own_stems)
        clauses = split_clauses(self.strip.text, self.strip.words)
        return max(clauses, key=lambda words: len(own & {word.stem for word in words}))

    @cached_property
    def deny_alike(self) -> bool:
        """Whether claim and strip both deny something of what the claim says, or neither does."""
        return deny_alike(self.claim.words, self.strip.words, self.claim.bag)

    def one_event(self) -> bool:
        """Whether the strip has a verb of the claim: what was amended was not passed then."""
        verbs = {w.stem for w in self.claim.content_words if _VERB.fullmatch(w.text)}
        shared = (verb in self.strip.bag or is_like(verb, self.strip.bag) for verb in verbs)
        return not verbs or any(shared)

    def exchanges_sides(self) -> bool:
        """Whether the strip says of another thing how it stands to the claim's subject.

        "Ben is younger than Ann" is "Ann is older than Ben".
        """
        texts = (self.claim.text, self.strip.text)
        ours, theirs = (subject_of(text) for text in texts)
        is_other = bool(ours and theirs) and ours.isdisjoint(theirs)
        (own, other), (before, after) = (split_comparison(text) for text in texts)
        is_turned = bool((other & before) - after) and bool((after & own) - other)
        return is_turned or (is_other and ours <= self.strip.bag and theirs <= self.claim.bag)

    def bears_out(self, other: Strip) -> bool:
        """Whether another strip that has a value of the claim may speak of the same thing.

        It does not if it begins with another thing, and this strip with the claim's.
        """
        texts = (self.claim.text, self.strip.text, other.text)
        ours, here, there = (subject_of(text) for text in texts)
        return not (ours & here and there and there.isdisjoint(self.claim.bag | here))

    def beside(self, strip: Strip) -> "Pair":
        """The same claim beside another strip."""
        return Pair(self.claim, strip, self.evidence, self.presupposed)

    def difference(
        self, kind: Kind, claimed: str, stated: str, apart: Iterable[str] = ()
    ) -> Difference:
        """A difference that leaves these words of the claim apart."""
        return Difference(kind, claimed, stated, self.strip, self.shared(apart), stated)


def unless_held(found: Difference, pair: Pair, holding: Iterable[Strip]) -> Iterator[Difference]:
    """A difference unless strips bear the claim out; a dispute if only another document does."""
    strips = list(holding)
    if not strips:
        yield found
    elif all(pair.evidence.are_two_sources(strip, pair.strip) for strip in strips):
        apart = set(split_stems(found.claimed))
        agreed = (strip for strip in strips if pair.beside(strip).shared(apart) >= AGREED)
        if found.shared >= AGREED and (borne_out := next(agreed, None)):
            yield replace(found, borne_out=borne_out)


def presupposed(claim: Reading, evidence: Evidence) -> frozenset[str]:
    """The stems of the question's topic, and of documents' subjects that the claim names."""
    return claim.topic.union(*(stems for stems in evidence.subjects if stems <= claim.bag))


def first_name(entities: Iterable[Entity]) -> Entity | None:
    """The name that a text begins with, after at most an article."""
    names = (e for e in entities if e.kind == "name" and e.start <= OPENING)
    return next((e for e in names if e.stems), None)


def split_comparison(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The content stems before and after the first "than" of a text; none after, without one."""
    before, _, after = text.partition(" than ")
    return content_stems(before), content_stems(after)


@lru_cache(maxsize=4096)
def subject_of(text: str) -> frozenset[str]:
    """The content stems of a text's subject, by its beginning; none for a pronoun."""
    return content_stems(find_subject(text[:BEGINNING]))


def is_on_another(claim: Reading, strip: Strip) -> bool:
    """Whether a strip begins with something of which the claim does not speak."""
    subject = subject_of(strip.text)
    return bool(subject) and subject.isdisjoint(claim.bag)


def is_like(stem: str, bag: frozenset[str]) -> bool:
    """Whether a bag has a synonym, or for a long stem a word with the same beginning."""
    if not bag.isdisjoint(synonyms_of(stem)):
        return True
    return len(stem) > PREFIX and any(other[: PREFIX + 1] == stem[: PREFIX + 1] for other in bag)
