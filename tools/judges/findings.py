"""What is known of a claim before it gets a label: features, differences and probability."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from errata.core.limits import check_time
from errata.tools.judges.cross_encoder import MODEL, CrossEncoder, load_cross_encoder
from errata.tools.judges.differences import Difference, Dispute, compare, read_life
from errata.tools.judges.entailment import ENTAILMENT_FEATURES, Entailment, read_entailment
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features, Weights, read_weights
from errata.tools.judges.pairs import is_spoken_of
from errata.tools.judges.values import as_stated, find_values
from errata.tools.text.entities import find_dates
from errata.tools.text.sentences import Strip, Worded
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
"""The features of words that count beside the reader's: the shared ones by how far it leaves a
claim open."""
FEATURES = (*ENTAILMENT_FEATURES, *COPIED, *SHARED)
"""What the verifier weighs."""
SUPPORTED = 0.5
"""The probability from which on a claim is more likely supported than not."""
IN_SPITE = 0.1
"""The most that is left of the probability of support where a claim is refuted: nine of ten are."""
LEANING = 0.1
"""The probability of refuted from which on another number or date refutes a claim: of 146
such everyday statements 116 were false."""


def word_features(claim: Reading, evidence: Evidence) -> Features:
    """What the evidence has of a claim's words, by name.

    The share, weighed by idf, that the best strip and all strips have, or words with the same
    beginning; that of neighbouring words which stand side by side in the closest strip; whether a
    strip has all of its telling words in order and denies no more.
    """
    top = evidence.best(claim)
    idf = {stem: evidence.idf(stem) for stem in claim.own_stems}
    covered = [_cover(idf, strip.bag, stem_prefixes(strip.bag)) for strip in top]
    closest = max(top, key=lambda strip: _cover(idf, strip.bag, frozenset()), default=None)
    pairs = [p for p in pairwise(claim.stems) if not (p[0] in STOPWORDS and p[1] in STOPWORDS)]
    beside = set(pairwise(closest.stems)) if closest else set[tuple[str, str]]()
    telling = [w.stem for w in claim.words if w.is_content or w.text.lower() in TELLING]
    rests = [(strip, iter(strip.stems)) for strip in top if len(telling) > 1]
    whole = [strip for strip, rest in rests if all(stem in rest for stem in telling)]
    return {
        "contained": float(any(strip.bag & NEGATIONS <= claim.bag for strip in whole)),
        "pairs_best": sum(pair in beside for pair in pairs) / len(pairs) if pairs else 1.0,
        "soft_best": max(covered, default=0.0),
        "soft_page": _cover(idf, evidence.bag, evidence.prefixes),
    }


def _cover(idf: Features, bag: frozenset[str], prefixes: frozenset[str]) -> float:
    """The share of a claim's idf that a bag has, or a word with the same beginning; 1 of none."""
    have = sum(w for stem, w in idf.items() if stem in bag or stem[:PREFIX] in prefixes)
    return have / sum(idf.values()) if idf else 1.0


@dataclass(frozen=True, kw_only=True)
class VerifierWeights(Weights):
    """The fitted verifier, as `errata.training.verifier` writes it."""

    sure: float = SUPPORTED
    """The probability that a label needs; below it the verifier abstains."""
    refuting: float | None = None
    """The probability from which on the cross-encoder refutes a claim; None: it never does."""
    cross_encoder: str = MODEL
    """The cross-encoder's file, or the shipped one's name."""


@cache
def read_verifier_weights(path: str = "") -> VerifierWeights:
    """The shipped weights, or those of a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    return read_weights(VerifierWeights, "verifier", path, FEATURES)


@dataclass(frozen=True)
class ClaimFinding:
    """What is known of a claim before it gets a label."""

    claim: Reading
    """The claim, with its values as the evidence writes them."""
    features: Features
    entailment: Entailment
    differences: Sequence[Difference]
    """The numbers and dates that strips have in another way."""
    dispute: Dispute | None
    """On what the documents disagree."""
    told: Strip | None
    """A strip that says the same in the same words, or whose brackets have the day of a birth or
    death."""

    @property
    def wrong(self) -> str:
        """The words that the reader tags, or the whole number or date that they are part of."""
        words = self.entailment.wrong
        values = (v.text for v in find_values(self.claim.text) if words and words in v.text)
        return next(values, words)


def examine(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder
) -> list[ClaimFinding]:
    """What is known of claims with the same evidence."""
    claims = [as_stated(claim, evidence) for claim in claims]
    read = read_entailment(claims, evidence, encoder)
    return [_find(*each, evidence) for each in zip(claims, read, strict=True)]


def _find(claim: Reading, read: Entailment, evidence: Evidence) -> ClaimFinding:
    check_time()
    differences, dispute = compare(claim, evidence)
    life = read_life(claim, evidence)
    if isinstance(life, Difference):
        differences = [life]
    strips = [] if read.strip else evidence.best(claim)  # none, where the reader is against it
    copied = (strip for strip in strips if _plain(strip) == _plain(claim))
    told = life if isinstance(life, Strip) else next(copied, None)
    lexical = word_features(claim, evidence)
    shared = {name: read.features["open"] * lexical[name] for name in SHARED}
    features = read.features | {name: lexical[name] for name in COPIED} | shared
    return ClaimFinding(claim, features, read, differences, dispute, told)


def _plain(text: Worded) -> list[str]:
    return [word.text.casefold() for word in text.words]


def examine_by(
    weights: VerifierWeights, claims: Sequence[Reading], evidence: Evidence
) -> list[ClaimFinding]:
    """What is known of claims with the same evidence, as read by the weights' encoder."""
    return examine(claims, evidence, load_encoder(weights))


def load_encoder(weights: VerifierWeights) -> CrossEncoder:
    """The cross-encoder that the weights were fitted with."""
    return load_cross_encoder(weights.cross_encoder)


def is_refuted(finding: ClaimFinding, evidence: Evidence, weights: VerifierWeights) -> bool:
    """Whether the reader is sure that the documents refute a claim, and these have a word of it.

    It need only lean that way where a strip has another number or date in the place of a claim's
    that denies nothing, and has no say over the day of a birth or death. No claim is refuted by
    dates that only a person reads.
    """
    if any(difference.is_exact for difference in finding.differences):
        return True
    read = finding.entailment.strip
    strips = [difference.strip for difference in finding.differences] or ([read] if read else [])
    text = finding.claim.text
    is_unread = any(_PART_OF_YEAR.search(text) or _UNREAD.search(strip.text) for strip in strips)
    if is_unread and find_dates(text):
        return False
    if finding.differences and not finding.claim.bag & NEGATIONS:
        return finding.entailment.refuted >= LEANING
    is_sure = weights.refuting is not None and finding.entailment.refuted >= weights.refuting
    return is_sure and is_spoken_of(finding.claim, evidence, least=0.0)
