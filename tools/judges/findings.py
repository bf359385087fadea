"""What is known of a claim before it gets a label: features, differences and probability."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import ClassVar

from errata.core.limits import check_time
from errata.tools.judges.cross_encoder import MODEL, CrossEncoder, load_cross_encoder
from errata.tools.judges.differences import Difference, Dispute, compare, read_life
from errata.tools.judges.entailment import (
    ENTAILMENT_FEATURES,
    Entailment,
    read_entailment,
)
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features, Weights, read_weights
from errata.tools.judges.pairs import is_spoken_of
from errata.tools.judges.values import as_stated, find_values
from errata.tools.text.entities import find_dates
from errata.tools.text.sentences import Strip
from errata.tools.text.words import NEGATIONS, PREFIX, STOPWORDS, stem_prefixes

_PART_OF_YEAR = re.compile(
    r"\b(?:early|late|mid|(?:start|beginning|middle|end) of)[ -](?:in )?(?:the )?(?:1\d{3}|20\d\d)"
)
_UNREAD = re.compile(
    rf"{_PART_OF_YEAR.pattern}"
    r"|\b(?:next|previous|following|later|earlier|after|before|since|until|up from|down from)\b"
    r"|\d{4}s|\d[–-]\d{4}|[’']\d\d\b|(?<![\d/])\d{1,2}/\d{1,2}(?![\d/])"
)
"""Dates that neither code nor the cross-encoder compares surely: the next day, '68, 31/3."""
TELLING = frozenset(
    """he she it they no not never only all some none before after more less than may must
    can""".split()
)
"""Words that are no content words, but on which it depends what a sentence says."""
COPIED, SHARED = ("contained", "pairs_best"), ("soft_best", "soft_page")
"""The lexical features that count beside the cross-encoder's: the shared words by how far it leaves
a claim open."""
SUPPORTED = 0.5
"""The probability from which on a claim is more likely supported than not."""
IN_SPITE = 0.1
"""The most that is left of the probability of support where a claim is refuted: nine of ten are."""
LEANING = 0.1
"""The probability of refuted from which on another number or date refutes a claim: of 146
such everyday statements 116 were false."""


def lexical_features(claim: Reading, evidence: Evidence) -> Features:
    """The features of a claim and its evidence, by name.

    What of the claim's words, weighed by idf, the best strip and the whole evidence have, or words
    with the same beginning; what of its neighbouring words stand side by side there; whether a
    strip has all of its telling words in order and denies no more, and none a name; how many words
    it has.
    """
    top = evidence.best(claim)
    idf = {stem: evidence.idf(stem) for stem in claim.own_stems}
    covered = [_cover(idf, strip.bag, stem_prefixes(strip.bag)) for strip in top]
    closest = max(top, key=lambda strip: _cover(idf, strip.bag, frozenset()), default=None)
    pairs = [p for p in pairwise(claim.stems) if not (p[0] in STOPWORDS and p[1] in STOPWORDS)]
    beside = set(pairwise(closest.stems)) if closest else set[tuple[str, str]]()
    names = [e.stems for e in claim.entities if e.kind == "name"]
    telling = [w.stem for w in claim.words if w.is_content or w.text.lower() in TELLING]
    rests = [(strip, iter(strip.stems)) for strip in top if len(telling) > 1]
    whole = [strip for strip, rest in rests if all(stem in rest for stem in telling)]
    contained = any(strip.bag & NEGATIONS <= claim.bag for strip in whole)
    return {
        "soft_best": max(covered, default=0.0),
        "soft_page": _cover(idf, evidence.bag, evidence.prefixes),
        "pairs_best": _ratio(sum(pair in beside for pair in pairs), len(pairs)),
        "pairs_page": _ratio(sum(pair in evidence.pairs for pair in pairs), len(pairs)),
        "contained": float(contained),
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


@dataclass(frozen=True, kw_only=True)
class VerifierWeights(Weights):
    """The fitted verifier, as `errata.training.verifier` writes it."""

    CROSS_ENCODER_FEATURES: ClassVar[tuple[str, ...]] = ENTAILMENT_FEATURES

    sure: float = SUPPORTED
    """The probability that a label needs; below it the verifier abstains."""
    refuting: float | None = None
    """The probability from which on the cross-encoder refutes a claim; None: it never does."""
    cross_encoder: str = MODEL
    """The cross-encoder's file, or the shipped one's name."""


@cache
def read_verifier_weights(path: str = "") -> VerifierWeights:
    """The shipped weights, `lexical`, or a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    lexical = lexical_features(Reading("x"), Evidence([]))
    return read_weights(
        VerifierWeights, "verifier", path, lexical, (*ENTAILMENT_FEATURES, *COPIED, *SHARED)
    )


@dataclass(frozen=True)
class ClaimFinding:
    """What is known of a claim before it gets a label."""

    claim: Reading
    """The claim, with its values as the evidence writes them."""
    features: Features
    differences: Sequence[Difference]
    """The numbers and dates that strips have in another way."""
    dispute: Dispute | None
    """On what the documents disagree."""
    told: Strip | None = None
    """A strip whose brackets have the day of a birth or death."""
    entailment: Entailment | None = None
    """None without a cross-encoder."""

    @property
    def refuted(self) -> float:
        """The probability that the documents refute the claim; 0 without a cross-encoder."""
        return self.entailment.refuted if self.entailment else 0.0

    @property
    def wrong(self) -> str:
        """The words that the reader tags, or the whole number or date that they are part of."""
        words = self.entailment.wrong if self.entailment else ""
        values = (v.text for v in find_values(self.claim.text) if words and words in v.text)
        return next(values, words)


def examine(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder | None
) -> list[ClaimFinding]:
    """What is known of claims with the same evidence; without an encoder only lexical features."""
    found = list[ClaimFinding]()
    for reading in claims:
        check_time()
        claim = as_stated(reading, evidence)
        features = lexical_features(claim, evidence)
        differences, dispute = compare(claim, evidence)
        life = read_life(claim, evidence)
        if isinstance(life, Difference):
            differences = [life]
        told = life if isinstance(life, Strip) else None
        found.append(ClaimFinding(claim, features, differences, dispute, told))
    if encoder is None:
        return found
    read = read_entailment([finding.claim for finding in found], evidence, encoder)
    return [
        replace(ours, features=_join(ours.features, theirs.features), entailment=theirs)
        for ours, theirs in zip(found, read, strict=True)
    ]


def _join(words: Features, read: Features) -> Features:
    """What was read, with the lexical features that count beside it."""
    shared = {name: read["open"] * words[name] for name in SHARED}
    return read | {name: words[name] for name in COPIED} | shared


def examine_by(
    weights: VerifierWeights, claims: Sequence[Reading], evidence: Evidence
) -> list[ClaimFinding]:
    """What is known of claims with the same evidence, as far as the weights ask for it."""
    return examine(claims, evidence, load_encoder(weights))


def load_encoder(weights: VerifierWeights) -> CrossEncoder | None:
    """The cross-encoder that the weights were fitted with; None for lexical ones."""
    return load_cross_encoder(weights.cross_encoder) if weights.neural else None


def is_refuted(finding: ClaimFinding, evidence: Evidence, weights: VerifierWeights) -> bool:
    """Whether the reader is sure that the documents refute a claim, and these have a word of it.

    It need only lean that way where a strip has another number or date in the place of a claim's
    that denies nothing, and has no say over the day of a birth or death. No claim is refuted by
    dates that nothing reads.
    """
    if any(difference.is_exact for difference in finding.differences):
        return True
    read = finding.entailment.strip if finding.entailment else None
    strips = [difference.strip for difference in finding.differences] or ([read] if read else [])
    if any(_has_unread_dates(finding.claim.text, strip.text) for strip in strips):
        return False
    if finding.differences and not finding.claim.bag & NEGATIONS:
        return finding.refuted >= LEANING
    is_sure = weights.refuting is not None and finding.refuted >= weights.refuting
    return is_sure and is_spoken_of(finding.claim, evidence, least=0.0)


def _has_unread_dates(claim: str, strip: str) -> bool:
    """Whether a claim has a date, and it or a strip says when in a way that only a person reads."""
    is_unread = _PART_OF_YEAR.search(claim) or _UNREAD.search(strip)
    return bool(is_unread and find_dates(claim))
