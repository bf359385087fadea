"""The verifier's lexical features: how a claim compares with the strips that match it best."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from errata.tools.judges.evidence import Evidence, Reading, appears_in
from errata.tools.judges.logistic import Features
from errata.tools.text.denials import deny_alike
from errata.tools.text.entities import Kind
from errata.tools.text.strips import Strip
from errata.tools.text.words import NEGATIONS, PREFIX, STOPWORDS, stem_prefixes

TELLING = frozenset(
    """he she it they no not never only all some none before after more less than may must
    can""".split()
)
"""Words that are no content words, but on which it depends what a sentence says."""
WINDOW = 6
"""How many words apart two stems of a claim may be in a strip to count as near."""
SHORT_CLAIM = 2
"""A claim of at most so many own stems is short."""
FULL = 0.999
Idf = Mapping[str, float]
"""The inverse document frequencies of a claim's own stems."""


def lexical_features(claim: Reading, evidence: Evidence) -> Features:
    """The features of a claim and its evidence, by name."""
    ranked = evidence.best(claim)
    top = [strip for strip, _ in ranked]
    idf = {stem: evidence.idf(stem) for stem in claim.own_stems}
    coverage = _idf_coverage(idf)
    closest = max(top, key=lambda strip: coverage(strip.bag), default=None)
    count = len(claim.own_stems)
    return (
        _coverage_features(claim, evidence, top, idf)
        | _order_features(claim, evidence, top, closest)
        | _rank_features(ranked, idf)
        | _entity_features(claim, evidence, top, closest)
        | _negation_features(claim, closest)
        | {"length": math.log1p(count), "short": float(count <= SHORT_CLAIM)}
    )


def _ratio(part: float, whole: float) -> float:
    """The quotient part / whole; 0/0 is 1."""
    return part / whole if whole else 1.0


def _idf_coverage(idf: Idf) -> Callable[[frozenset[str]], float]:
    """A function that measures the share of a claim's idf that a bag of stems covers."""
    total = sum(idf.values())
    return lambda bag: _ratio(sum(w for stem, w in idf.items() if stem in bag), total)


def _soft_coverage(idf: Idf) -> Callable[[frozenset[str], frozenset[str]], float]:
    """The same where a stem is also covered by one with the same prefix."""
    total = sum(idf.values())

    def coverage(bag: frozenset[str], prefixes: frozenset[str]) -> float:
        covered = (w for s, w in idf.items() if s in bag or s[:PREFIX] in prefixes)
        return _ratio(sum(covered), total)

    return coverage


def _coverage_features(
    claim: Reading, evidence: Evidence, top: Sequence[Strip], idf: Idf
) -> Features:
    """How much of the claim's content the best strips and the whole evidence cover."""

    def plain(bag: frozenset[str]) -> float:
        return _ratio(sum(stem in bag for stem in claim.own_stems), len(claim.own_stems))

    weighted, soft = _idf_coverage(idf), _soft_coverage(idf)
    union = frozenset[str]().union(*(strip.bag for strip in top))
    soft_best = max((soft(strip.bag, stem_prefixes(strip.bag)) for strip in top), default=0.0)
    missing = [s for s in claim.own_stems if s not in evidence.bag]
    return {
        "cov_best": max((plain(strip.bag) for strip in top), default=0.0),
        "cov_first": plain(top[0].bag) if top else 0.0,
        "cov_page": plain(evidence.bag),
        "wcov_best": max((weighted(strip.bag) for strip in top), default=0.0),
        "wcov_union": weighted(union),
        "wcov_page": weighted(evidence.bag),
        "soft_best": soft_best,
        "soft_best_high": max(0.0, soft_best - 0.75),
        "soft_best_full": float(soft_best > FULL),
        "soft_union": soft(union, stem_prefixes(union)),
        "soft_page": soft(evidence.bag, evidence.prefixes),
        "missing_page": math.log1p(len(missing)),
        "missing_soft": math.log1p(sum(s[:PREFIX] not in evidence.prefixes for s in missing)),
    }


def _order_features(
    claim: Reading, evidence: Evidence, top: Sequence[Strip], closest: Strip | None
) -> Features:
    """How much of the claim's word order the evidence repeats."""
    pairs = [p for p in pairwise(claim.stems) if not (p[0] in STOPWORDS and p[1] in STOPWORDS)]
    closest_pairs = set(pairwise(closest.stems)) if closest else set()
    near = [
        any(_are_near(first, second, strip.stems) for strip in top)
        for first, second in pairwise(claim.own_stems)
    ]
    longest = max((_longest_run(claim.stems, strip.stems) for strip in top), default=0)
    return {
        "pairs_best": _ratio(sum(pair in closest_pairs for pair in pairs), len(pairs)),
        "pairs_page": _ratio(sum(pair in evidence.pairs for pair in pairs), len(pairs)),
        "near": _ratio(sum(near), len(near)),
        "run": _ratio(longest, len(claim.stems)),
        "contained": float(any(_is_contained(claim, strip) for strip in top)),
    }


def _is_contained(claim: Reading, strip: Strip) -> bool:
    """Whether a strip has the claim's telling words in order, and denies as much of it."""
    telling = [w.stem for w in claim.words if w.is_content or w.text.lower() in TELLING]
    rest = iter(strip.stems)
    in_order = len(telling) > 1 and all(stem in rest for stem in telling)
    return in_order and deny_alike(claim.words, strip.words, claim.bag)


def _rank_features(ranked: Sequence[tuple[Strip, float]], idf: Idf) -> Features:
    """The best strip's BM25 score, plain and as a share of the claim's idf."""
    score = ranked[0][1] if ranked else 0.0
    return {"bm25": math.log1p(score), "bm25_share": score / (sum(idf.values()) or 1.0)}


def _entity_features(
    claim: Reading, evidence: Evidence, top: Sequence[Strip], closest: Strip | None
) -> Features:
    """For each kind of entity: whether the claim has any, misses any, and meets another instead."""
    features: Features = {}
    kinds: tuple[Kind, ...] = ("date", "year", "number", "name")
    for kind in kinds:
        entities = [entity for entity in claim.entities if entity.kind == kind]
        missing_best = [entity for entity in entities if not appears_in(entity, top)]
        missing_page = [e for e in missing_best if not evidence.mentions(e)]
        has_other = closest is not None and any(e.kind == kind for e in closest.entities)
        features[f"{kind}_has"] = float(bool(entities))
        features[f"{kind}_missing_best"] = float(bool(missing_best))
        features[f"{kind}_missing_page"] = float(bool(missing_page))
        if kind != "name":
            features[f"{kind}_conflict"] = float(bool(missing_page) and has_other)
    return features


def _negation_features(claim: Reading, closest: Strip | None) -> Features:
    """Whether the claim is negated, and whether the closest strip differs in that."""
    ours, theirs = is_negated(claim.stems), is_negated(closest.stems if closest else [])
    return {"negated": float(ours), "negation_differs": float(ours != theirs)}


def is_negated(stems: Iterable[str]) -> bool:
    """Whether any stem is a negation."""
    return any(stem in NEGATIONS or stem.endswith("n't") for stem in stems)


def _are_near(first: str, second: str, stems: Sequence[str]) -> bool:
    places = (i for i, stem in enumerate(stems) if stem == first)
    return any(second in stems[max(0, i - WINDOW) : i + WINDOW + 1] for i in places)


def _longest_run(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The length of the longest sequence of words that both contain without a gap."""
    longest, lengths = 0, dict[int, int]()
    for stem in ours:
        lengths = {j: lengths.get(j - 1, 0) + 1 for j, other in enumerate(theirs) if other == stem}
        longest = max([longest, *lengths.values()])
    return longest
