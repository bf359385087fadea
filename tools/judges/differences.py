"""Where a strip says otherwise than a claim: what can be told exactly.

A difference counts only if the strip speaks of the same thing: apart from what differs, it has most
of the claim's words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from errata.bounds import check_time, current_bounds
from errata.tools.judges.contradictions import find_life_dates
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.roles import find_exchange
from errata.tools.text.clauses import find_subject
from errata.tools.text.denials import deny_alike, is_denial, is_denying_word, split_clauses
from errata.tools.text.entities import Entity, write_like
from errata.tools.text.entities import agree as same
from errata.tools.text.opposites import CONTRARIES, PHRASES
from errata.tools.text.quantities import Quantity, agree, find_quantities, is_alike
from errata.tools.text.strips import Strip
from errata.tools.text.synonyms import synonyms_of
from errata.tools.text.words import PREFIX, Word, content_stems, split_words

Kind = Literal["negation", "opposite", "quantity", "date", "ordinal", "roles"]
SHARED: dict[Kind, float] = {
    "negation": 0.8,
    "opposite": 0.7,
    "quantity": 0.7,
    "date": 0.7,
    "ordinal": 0.7,
    "roles": 0.5,
}
"""The share of a claim's other words, by idf, that the strip must have."""
ELSEWHERE = 50
"""The most strips in which a quantity is looked for."""
LEAST = 2
"""The fewest words that claim and strip must share."""
OPENING = 12
"""How many characters into a text its subject may begin."""
BEGINNING = 160
"""How many characters of a text its subject is looked for in."""
_RELATIVE = re.compile(
    r"\b(?:next|previous|following|later|earlier|after|before|since|until|up from|down from) "
    r"|\d{4}s|\d[–-]\d{4}"
)


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

    @property
    def explanation(self) -> str:
        """The difference in words."""
        if self.kind == "negation":
            return self.stated
        if self.kind == "roles":
            return f"the evidence has {self.claimed} and {self.stated} the other way round"
        return f"the claim says {self.claimed}; the evidence says {self.stated}"


def find_differences(claim: Reading, evidence: Evidence) -> list[Difference]:
    """The differences between a claim and the strips that match it best, the surest first."""
    known = presupposed(claim, evidence)
    pairs = [_Pair(claim, strip, evidence, known) for strip, _ in evidence.best(claim)]
    found = [
        difference
        for pair in pairs
        if pair.same_subject()
        for find in (_quantities, _dates, _ordinals, _opposites, _negations, _roles)
        for difference in find(pair)
        if difference.shared >= SHARED[difference.kind]
    ]
    return sorted([*found, *_life_dates(claim, evidence)], key=lambda d: -d.shared)


def _life_dates(claim: Reading, evidence: Evidence) -> Iterator[Difference]:
    """Another day of birth or death than the claim's."""
    for found in find_life_dates(claim, evidence):
        new = write_like(found.stated, found.claimed)
        yield Difference("date", found.claimed.text, found.stated.text, found.strip, 1.0, new)


def presupposed(claim: Reading, evidence: Evidence) -> frozenset[str]:
    """The stems of the question's topic, and of documents' subjects that the claim names."""
    return claim.topic.union(*(stems for stems in evidence.subjects if stems <= claim.bag))


@dataclass(frozen=True)
class _Pair:
    """A claim beside one strip."""

    claim: Reading
    strip: Strip
    evidence: Evidence
    presupposed: frozenset[str]

    @cached_property
    def read(self) -> Strip:
        """The strip with a name in place of its leading pronoun."""
        return self.evidence.named(self.strip)

    def shared(self, apart: Iterable[str], within: frozenset[str] | None = None) -> float:
        """The share of the claim's words that the strip has, by idf; some left out.

        What the question or the document is about need not be named again.
        """
        bag = self.read.bag if within is None else within
        known = self.presupposed
        left = set(self.claim.own_stems) - set(apart) - known
        have = {s for s in left if s in bag or _like(s, bag)}
        named = known & self.claim.bag & self.read.bag
        if len(have) + bool(named and within is None) < LEAST:
            return 0.0
        total = sum(map(self.evidence.idf, left))
        return sum(map(self.evidence.idf, have)) / total if total else 0.0

    def same_subject(self) -> bool:
        """Whether the strip can speak of what the claim speaks of first.

        It names it, or it is on the subject of its document or the question and names nobody else
        first.
        """
        ours, theirs = map(_first_name, (self.claim.all_entities, self.read.entities))
        if ours is None or ours.stems & self.read.bag:
            return True
        if not ours.stems <= self.presupposed:
            return False
        return theirs is None or theirs.stems <= self.claim.bag | self.presupposed

    def bears_out(self, other: Strip) -> bool:
        """Whether another strip that has a value of the claim may speak of the same thing.

        It does not if it begins with another thing, and this strip with the claim's.
        """
        texts = (self.claim.text, self.read.text, other.text)
        ours, here, there = (_subject(text[:BEGINNING]) for text in texts)
        return not (ours & here and there and there.isdisjoint(self.claim.bag | here))

    def difference(
        self, kind: Kind, claimed: str, stated: str, apart: Iterable[str] = ()
    ) -> Difference:
        """A difference that leaves these words of the claim apart."""
        return Difference(kind, claimed, stated, self.strip, self.shared(apart), stated)


def _first_name(entities: Iterable[Entity]) -> Entity | None:
    """The name that a text begins with, after at most an article."""
    names = (e for e in entities if e.kind == "name" and e.start <= OPENING)
    return next((e for e in names if e.stems), None)


@lru_cache(maxsize=4096)
def _subject(beginning: str) -> frozenset[str]:
    """The content stems of a text's subject, by its beginning; none for a pronoun."""
    return content_stems(find_subject(beginning))


def _like(stem: str, bag: frozenset[str]) -> bool:
    """Whether a bag has a synonym, or for a long stem a word with the same beginning."""
    if not bag.isdisjoint(synonyms_of(stem)):
        return True
    return len(stem) > PREFIX and any(other[: PREFIX + 1] == stem[: PREFIX + 1] for other in bag)


def _quantities(pair: _Pair) -> Iterator[Difference]:
    """A quantity of the claim that no like quantity of the strip bears out."""
    stated = find_quantities(pair.read.text)
    for claimed in find_quantities(pair.claim.text)[: current_bounds().max_entities]:
        like = [other for other in stated if is_alike(claimed, other)]
        differs = like and all(agree(claimed, other) is False for other in like)
        if differs and not _stated_elsewhere(claimed, pair):
            own = {word.stem for word in split_words(claimed.text)}
            found = pair.difference("quantity", claimed.text, like[0].text, own)
            is_clear = len(like) == 1 and claimed.bound == "exact"
            yield replace(found, replacement=like[0].text if is_clear else "")


def _stated_elsewhere(claimed: Quantity, pair: _Pair) -> bool:
    """Whether another strip with some of the claim's words bears a quantity out."""
    strips = pair.evidence.strips_with_any(set(pair.claim.own_stems))[:ELSEWHERE]
    check_time()
    return any(
        q.kind == claimed.kind and agree(claimed, q) and pair.bears_out(strip)
        for strip in strips
        for q in find_quantities(strip.text)
    )


def _dates(pair: _Pair) -> Iterator[Difference]:
    """The only date of the claim where the strip has one other, and no strip has the claim's."""
    stated = [e for e in pair.read.entities if e.kind in ("date", "year")]
    dates = [e for e in pair.claim.all_entities if e.kind in ("date", "year")]
    if len(dates) != 1 or len(stated) != 1 or _RELATIVE.search(pair.read.text):
        return
    claimed, other = dates[0], stated[0]
    if not (same(claimed, other) or same(other, claimed) or _dated_elsewhere(claimed, pair)):
        found = pair.difference("date", claimed.text, other.text, claimed.stems)
        yield replace(found, replacement=write_like(other, claimed))


def _dated_elsewhere(claimed: Entity, pair: _Pair) -> bool:
    """Whether another strip bears a date out."""
    if not pair.evidence.mentions(claimed):
        return False
    return any(
        same(claimed, other) and pair.bears_out(strip)
        for strip in pair.evidence.strips
        for other in strip.entities
        if other.kind in ("date", "year")
    )


def _ordinals(pair: _Pair) -> Iterator[Difference]:
    """A position of the claim where the strip has another before the same word."""
    most = current_bounds().max_entities
    stated = [(e, _next_stem(pair.read.text, e)) for e in _positions(pair.read.entities)[:most]]
    for claimed in _positions(pair.claim.all_entities)[:most]:
        word = _next_stem(pair.claim.text, claimed)
        like = [e for e, stem in stated if stem == word]
        if like and all(e.key != claimed.key for e in like):
            yield pair.difference("ordinal", claimed.text, like[0].text, claimed.stems)


def _positions(entities: Iterable[Entity]) -> list[Entity]:
    return [e for e in entities if e.kind == "number" and e.key.endswith("th")]


def _next_stem(text: str, entity: Entity) -> str:
    after = split_words(text[entity.end : entity.end + 40])
    return after[0].stem if after else ""


def _opposites(pair: _Pair) -> Iterator[Difference]:
    """A word or phrase of the claim whose opposite the strip has, and which the strip lacks."""
    ours, theirs = _texts(pair.claim.words), _texts(pair.read.words)
    if not deny_alike(pair.claim.words, pair.read.words, pair.claim.bag):
        return
    for word in sorted(set(ours) - set(theirs)):
        stated = next((o for o in CONTRARIES.get(word, ()) if o in theirs and o not in ours), "")
        if stated:
            yield pair.difference("opposite", word, stated, _stems(pair.claim, word))
    our_text, their_text = (f" {' '.join(words)} " for words in (ours, theirs))
    for claimed, opposites in PHRASES.items():
        if f" {claimed} " in our_text and f" {claimed} " not in their_text:
            for stated in opposites:
                if f" {stated} " in their_text:
                    yield pair.difference("opposite", claimed, stated)


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text.lower() for word in words]


def _stems(claim: Reading, word: str) -> set[str]:
    return {w.stem for w in claim.words if w.text.lower() == word}


def _negations(pair: _Pair) -> Iterator[Difference]:
    """The claim denies what a clause of the strip says, or the other way round."""
    if "?" in (pair.read.text.rstrip()[-1:], pair.claim.text.rstrip()[-1:]):
        return
    own = set(pair.claim.own_stems)
    clauses = split_clauses(pair.read.text, pair.read.words)
    clause = max(clauses, key=lambda words: len(own & {word.stem for word in words}))
    ours, theirs = (is_denial(words, pair.claim.bag) for words in (pair.claim.words, clause))
    if ours != theirs:
        affirms, denies = "says what the claim denies", "denies what the claim says"
        apart = {w.stem for w in pair.claim.words if is_denying_word(w.text.lower())}
        shared = pair.shared(apart, frozenset(word.stem for word in clause))
        stated = f"the evidence {affirms if ours else denies}"
        yield Difference("negation", "", stated, pair.strip, shared)


def _roles(pair: _Pair) -> Iterator[Difference]:
    """The claim and the strip have the two sides of a verb exchanged."""
    found = find_exchange(pair.claim.text, pair.read.text)
    if found and deny_alike(pair.claim.words, pair.read.words, pair.claim.bag):
        claimed, stated = (" ".join(word.text for word in words) for words in found)
        yield replace(pair.difference("roles", claimed, stated), replacement="")
