"""What of a claim's words strips share, its subject aside, and which strip has most of them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.clauses import find_subject
from errata.tools.text.sentences import Strip
from errata.tools.text.words import PREFIX, content_stems

MENTIONED = 1 / 3
"""The share of a claim's own words above which documents speak of it. Of 110 behaviours that no
document mentions 90 have less, of 323 that are supported 22."""
LEAST, SHORT = 2, 10
"""The fewest words that a claim and a strip share, and how many a short strip has at most."""
BEGINNING = 160
"""How many characters of a text its subject is looked for in."""


def closest_strip(claim: Reading, evidence: Evidence, least: float = 0.0) -> Strip | None:
    """The strip with most of what the claim says of its subject; None if none has over `least`."""
    weights = weigh_stems(claim, evidence)
    shares = {strip: share_of(weights, strip.bag) for strip in evidence.best(claim)}
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best and shares[best] > least else None


def is_spoken_of(claim: Reading, evidence: Evidence, least: float = MENTIONED) -> bool:
    """Whether the strips that match a claim best have enough of what it says of its subject.

    Dates and numbers aside: a document that speaks of the claim may have others.
    """
    values = {s for e in claim.entities if e.kind != "name" for s in e.stems}
    weights = weigh_stems(claim, evidence)
    others = {stem: weight for stem, weight in weights.items() if stem not in values} or weights
    best = (strip.bag for strip in evidence.best(claim))
    return share_of(others, frozenset[str]().union(*best)) > least


def weigh_stems(claim: Reading, evidence: Evidence) -> dict[str, float]:
    """How much each word counts that a claim says of its subject: the rarer, the more.

    A word of a number or name counts twice; the subject's own name does not.
    """
    first = subject_of(claim.text)
    names = (e.stems for e in claim.all_entities if e.kind == "name" and e.stems <= first)
    subject = presupposed(claim, evidence).union(*names, first if len(first) == 1 else ())
    named = frozenset[str]().union(*(entity.stems for entity in claim.entities))
    own = (stem for stem in claim.own_stems if stem not in subject)
    return {stem: evidence.idf(stem) * (2 if stem in named else 1) for stem in own}


def share_of(weights: Mapping[str, float], bag: frozenset[str]) -> float:
    """The share of weighted words that some stems have, or words with the same beginning."""
    have = sum(weight for stem, weight in weights.items() if has_like(stem, bag))
    return have / (sum(weights.values()) or 1)


def shared(claim: Reading, strip: Strip, evidence: Evidence, apart: Iterable[str]) -> float:
    """The share of the claim's words that a strip has, by idf; some left apart.

    What the question or a document is about need not be named, unless the strip begins with another
    thing. One word alone is too little where the strip's document does not tell what it is about.
    """
    subject = subject_of(strip.text)
    is_other = bool(subject) and subject.isdisjoint(claim.bag)
    known = frozenset[str]() if is_other else presupposed(claim, evidence)
    about = strip.bag | content_stems(evidence.heading(strip.document))
    left = set(claim.own_stems).difference(apart, known)
    have = {stem for stem in left if has_like(stem, strip.bag)}
    is_whole = len(strip.words) <= SHORT and have == left and not is_other
    if len(have) < LEAST and known.isdisjoint(about) and not is_whole:
        return 0.0
    return sum(map(evidence.idf, have)) / (sum(map(evidence.idf, left)) or 1)


def presupposed(claim: Reading, evidence: Evidence) -> frozenset[str]:
    """The stems of the question's topic, and of documents' subjects that the claim names."""
    return claim.topic.union(*(stems for stems in evidence.subjects if stems <= claim.bag))


@lru_cache(maxsize=4096)
def subject_of(text: str) -> frozenset[str]:
    """The content stems of a text's subject, by its beginning; none for a pronoun."""
    return content_stems(find_subject(text[:BEGINNING]))


def has_like(stem: str, bag: frozenset[str]) -> bool:
    """Whether a bag has a stem, or for a long one a word with the same beginning."""
    return stem in bag or (
        len(stem) > PREFIX and any(s.startswith(stem[: PREFIX + 1]) for s in bag)
    )
