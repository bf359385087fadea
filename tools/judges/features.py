"""The verifier's lexical features: how a claim compares with the strips that match it best."""

import math
from itertools import pairwise

from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features
from errata.tools.text.denials import deny_alike
from errata.tools.text.strips import Strip
from errata.tools.text.words import PREFIX, STOPWORDS, stem_prefixes

TELLING = frozenset(
    """he she it they no not never only all some none before after more less than may must
    can""".split()
)
"""Words that are no content words, but on which it depends what a sentence says."""


def lexical_features(claim: Reading, evidence: Evidence) -> Features:
    """The features of a claim and its evidence, by name.

    What of the claim's words, weighed by idf, the best strip and the whole evidence have, or words
    with the same beginning; what of its neighbouring words stand side by side there; whether a
    strip has all of its words in order, and none a name; how many words it has.
    """
    top = [strip for strip, _ in evidence.best(claim)]
    idf = {stem: evidence.idf(stem) for stem in claim.own_stems}
    covered = [_cover(idf, strip.bag, stem_prefixes(strip.bag)) for strip in top]
    closest = max(top, key=lambda strip: _cover(idf, strip.bag, frozenset()), default=None)
    pairs = [p for p in pairwise(claim.stems) if not (p[0] in STOPWORDS and p[1] in STOPWORDS)]
    beside = set(pairwise(closest.stems)) if closest else set[tuple[str, str]]()
    names = [e.stems for e in claim.entities if e.kind == "name"]
    return {
        "soft_best": max(covered, default=0.0),
        "soft_page": _cover(idf, evidence.bag, evidence.prefixes),
        "pairs_best": _ratio(sum(pair in beside for pair in pairs), len(pairs)),
        "pairs_page": _ratio(sum(pair in evidence.pairs for pair in pairs), len(pairs)),
        "contained": float(any(_is_contained(claim, strip) for strip in top)),
        "name_missing": float(any(not any(n <= s.bag for s in top) for n in names)),
        "length": math.log1p(len(claim.own_stems)),
    }


def _ratio(part: float, whole: float) -> float:
    """The quotient part / whole; 0/0 is 1."""
    return part / whole if whole else 1.0


def _cover(idf: Features, bag: frozenset[str], prefixes: frozenset[str]) -> float:
    """The share of a claim's idf that a bag of stems has, or a word with the same beginning."""
    have = sum(w for stem, w in idf.items() if stem in bag or stem[:PREFIX] in prefixes)
    return _ratio(have, sum(idf.values()))


def _is_contained(claim: Reading, strip: Strip) -> bool:
    """Whether a strip has the claim's telling words in order, and denies as much of it."""
    telling = [w.stem for w in claim.words if w.is_content or w.text.lower() in TELLING]
    rest = iter(strip.stems)
    in_order = len(telling) > 1 and all(stem in rest for stem in telling)
    return in_order and deny_alike(claim.words, strip.words, claim.bag)
