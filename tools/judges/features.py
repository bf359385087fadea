"""What the verifier looks at: how a claim stands to the strips that match it best."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from errata.tools.text.entities import Entity, Kind, agree, find_entities
from errata.tools.text.ranking import Ranking
from errata.tools.text.strips import Strip
from errata.tools.text.words import NEGATIONS, STOPWORDS, split_words

BEST = 4
"""How many strips stand as evidence for one claim."""
PREFIX = 5
NEAR = 6
SHORT = 2
FULL = 0.999
Features = dict[str, float]


class Evidence:
    """Hold the strips of one run's documents, counted once for all claims."""

    def __init__(self, strips: Sequence[Strip]) -> None:
        """Count the strips."""
        self.strips = [strip for strip in strips if strip.stems]
        self.ranking = Ranking([strip.stems for strip in self.strips])
        self.frequency = Counter(stem for strip in self.strips for stem in strip.bag)
        self.bag = frozenset(self.frequency)
        self.prefixes = prefixes(self.bag)
        self.pairs = {pair for strip in self.strips for pair in pairwise(strip.stems)}
        self._places = dict(_numbered(self.strips))

    def place(self, strip: Strip) -> int:
        """Give how many strips of the same document stand before this one."""
        return self._places[strip.document, strip.start]

    def weight(self, stem: str) -> float:
        """Give a stem's inverse document frequency over the strips."""
        count = self.frequency.get(stem, 0)
        return math.log(1 + (len(self.strips) + 0.5) / (count + 0.5))

    def best(self, claim: "Reading") -> list[tuple[Strip, float]]:
        """Give the strips that match the claim best, with BM25 scores."""
        return [(self.strips[i], score) for i, score in self.ranking.best(claim.stems, BEST)]


@dataclass(frozen=True)
class Reading:
    """Read a claim once: its stems, those that say something new, and its typed spans."""

    text: str
    topic: frozenset[str] = frozenset()
    """Stems of what the text is about; they are presupposed, not asserted."""
    subject: str = ""
    """What a pronoun that opens the claim stands for."""

    @cached_property
    def stems(self) -> list[str]:
        """Give the stems of all words."""
        return [word.stem for word in split_words(self.text)]

    @cached_property
    def own(self) -> list[str]:
        """Give the distinct content stems outside the topic, or all stems where none is left."""
        content = dict.fromkeys(word.stem for word in split_words(self.text) if word.is_content)
        return [s for s in content if s not in self.topic] or list(content) or self.stems

    @cached_property
    def entities(self) -> list[Entity]:
        """Give the typed spans outside the topic."""
        return [
            s for s in find_entities(self.text) if s.kind != "name" or not s.stems <= self.topic
        ]


def features(claim: Reading, evidence: Evidence) -> Features:
    """Describe a claim beside its evidence, as named numbers."""
    ranked = evidence.best(claim)
    top = [strip for strip, _ in ranked]
    weights = {stem: evidence.weight(stem) for stem in claim.own}
    weighted = _weighted(weights)
    closest = max(top, key=lambda strip: weighted(strip.bag), default=None)
    return (
        _coverage(claim, evidence, top, weights)
        | _order(claim, evidence, top, closest)
        | _rank(ranked, weights)
        | _typed(claim, evidence, top, closest)
        | _polarity(claim, closest)
        | {"length": math.log1p(len(claim.own)), "short": float(len(claim.own) <= SHORT)}
    )


def _numbered(strips: Iterable[Strip]) -> Iterator[tuple[tuple[str, int], int]]:
    seen: Counter[str] = Counter()
    for strip in strips:
        yield (strip.document, strip.start), seen[strip.document]
        seen[strip.document] += 1


def prefixes(bag: Iterable[str]) -> frozenset[str]:
    """Give the openings of longer stems, so that actor meets acting."""
    return frozenset(stem[:PREFIX] for stem in bag if len(stem) >= PREFIX - 1)


def ratio(part: float, whole: float) -> float:
    """Divide, taking nothing out of nothing as all of it."""
    return part / whole if whole else 1.0


def _weighted(weights: Features) -> Callable[[frozenset[str]], float]:
    total = sum(weights.values())
    return lambda bag: ratio(sum(w for stem, w in weights.items() if stem in bag), total)


def _soft(weights: Features) -> Callable[[frozenset[str], frozenset[str]], float]:
    total = sum(weights.values())

    def soft(bag: frozenset[str], openings: frozenset[str]) -> float:
        held = (w for s, w in weights.items() if s in bag or s[:PREFIX] in openings)
        return ratio(sum(held), total)

    return soft


def _coverage(
    claim: Reading, evidence: Evidence, top: Sequence[Strip], weights: Features
) -> Features:
    """Measure how much of the claim's content the evidence holds."""

    def plain(bag: frozenset[str]) -> float:
        return ratio(sum(stem in bag for stem in claim.own), len(claim.own))

    weighted, soft = _weighted(weights), _soft(weights)
    union = frozenset[str]().union(*(strip.bag for strip in top))
    softest = max((soft(strip.bag, prefixes(strip.bag)) for strip in top), default=0.0)
    missing = [s for s in claim.own if s not in evidence.bag]
    return {
        "cov_best": max((plain(strip.bag) for strip in top), default=0.0),
        "cov_first": plain(top[0].bag) if top else 0.0,
        "cov_page": plain(evidence.bag),
        "wcov_best": max((weighted(strip.bag) for strip in top), default=0.0),
        "wcov_union": weighted(union),
        "wcov_page": weighted(evidence.bag),
        "soft_best": softest,
        "soft_best_high": max(0.0, softest - 0.75),
        "soft_best_full": float(softest > FULL),
        "soft_union": soft(union, prefixes(union)),
        "soft_page": soft(evidence.bag, evidence.prefixes),
        "missing_page": math.log1p(len(missing)),
        "missing_soft": math.log1p(sum(s[:PREFIX] not in evidence.prefixes for s in missing)),
    }


def _order(
    claim: Reading, evidence: Evidence, top: Sequence[Strip], closest: Strip | None
) -> Features:
    """Measure how much of the claim's wording stands together in the evidence."""
    pairs = [p for p in pairwise(claim.stems) if not (p[0] in STOPWORDS and p[1] in STOPWORDS)]
    there = set(pairwise(closest.stems)) if closest else set()
    near = [any(_near(a, b, strip.stems) for strip in top) for a, b in pairwise(claim.own)]
    longest = max((_run(claim.stems, strip.stems) for strip in top), default=0)
    return {
        "pairs_best": ratio(sum(pair in there for pair in pairs), len(pairs)),
        "pairs_page": ratio(sum(pair in evidence.pairs for pair in pairs), len(pairs)),
        "near": ratio(sum(near), len(near)),
        "run": ratio(longest, len(claim.stems)),
    }


def _rank(ranked: Sequence[tuple[Strip, float]], weights: Features) -> Features:
    score = ranked[0][1] if ranked else 0.0
    ceiling = sum(weights.values())
    return {"bm25": math.log1p(score), "bm25_share": score / (ceiling or 1.0)}


def _typed(
    claim: Reading, evidence: Evidence, top: Sequence[Strip], closest: Strip | None
) -> Features:
    """Tell which dates, years, numbers and names are missing, and where others stand instead."""
    result: Features = {}
    kinds: tuple[Kind, ...] = ("date", "year", "number", "name")
    for kind in kinds:
        mine = [span for span in claim.entities if span.kind == kind]
        lost = [span for span in mine if not is_held(span, top)]
        gone = [span for span in lost if not is_held(span, evidence.strips)]
        result[f"{kind}_has"] = float(bool(mine))
        result[f"{kind}_missing_best"] = float(bool(lost))
        result[f"{kind}_missing_page"] = float(bool(gone))
        other = any(span.kind == kind for span in closest.entities) if closest else False
        if kind != "name":
            result[f"{kind}_conflict"] = float(bool(gone) and other)
    return result


def is_held(span: Entity, strips: Iterable[Strip]) -> bool:
    """Tell whether any strip holds the span, in whatever spelling."""
    if span.kind == "name":
        return any(span.stems <= strip.bag for strip in strips)
    return any(agree(span, other) for strip in strips for other in strip.entities)


def _polarity(claim: Reading, closest: Strip | None) -> Features:
    mine, theirs = _negated(claim.stems), _negated(closest.stems if closest else [])
    return {"negated": float(mine), "negation_differs": float(mine != theirs)}


def _negated(stems: Iterable[str]) -> bool:
    return any(stem in NEGATIONS or stem.endswith("n't") for stem in stems)


def _near(first: str, second: str, stems: Sequence[str]) -> bool:
    places = (i for i, stem in enumerate(stems) if stem == first)
    return any(second in stems[max(0, i - NEAR) : i + NEAR + 1] for i in places)


def _run(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Measure the longest run of words that both share, in order and without a gap."""
    longest, before = 0, dict[int, int]()
    for stem in ours:
        now = {j: before.get(j - 1, 0) + 1 for j, other in enumerate(theirs) if other == stem}
        longest, before = max([longest, *now.values()]), now
    return longest
