"""What is known of a claim before it gets a label: features, differences and probability."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import ClassVar

from errata.core.limits import check_time
from errata.tools.judges.cross_encoder import CrossEncoder, load_cross_encoder
from errata.tools.judges.differences import Comparison, compare
from errata.tools.judges.entailment import ENTAILMENT_FEATURES, Entailment, read_entailment
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features, Weights, read_weights
from errata.tools.judges.other_values import UNREAD
from errata.tools.judges.pairs import Pair, presupposed
from errata.tools.judges.values import as_stated, find_values, has_value
from errata.tools.text.clauses import deny_alike, is_denial
from errata.tools.text.entities import find_dates
from errata.tools.text.sentences import Strip
from errata.tools.text.words import PREFIX, STOPWORDS, stem_prefixes

TELLING = frozenset(
    """he she it they no not never only all some none before after more less than may must
    can""".split()
)
"""Words that are no content words, but on which it depends what a sentence says."""
SUPPORTED = 0.5
"""The probability from which on a claim is more likely supported than not."""
IN_SPITE = 0.1
"""The probability that a claim is supported from which a strip differs in one thing: on labelled
claims 9 of 10 of these are false."""


def lexical_features(claim: Reading, evidence: Evidence) -> Features:
    """The features of a claim and its evidence, by name.

    What of the claim's words, weighed by idf, the best strip and the whole evidence have, or words
    with the same beginning; what of its neighbouring words stand side by side there; whether a
    strip has all of its telling words in order, denies as much of them, and none a name; how many
    words it has.
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
    contained = any(deny_alike(claim.words, strip.words, claim.bag) for strip in whole)
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
    cross_encoder: str = ""
    """The cross-encoder's file; empty for the shipped one."""


@cache
def read_verifier_weights(path: str = "") -> VerifierWeights:
    """The shipped weights, `lexical`, or a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    lexical = lexical_features(Reading("x"), Evidence([]))
    return read_weights(VerifierWeights, "verifier", path, lexical)


@dataclass(frozen=True)
class Finding(Comparison):
    """What is known of a claim before it gets a label."""

    claim: Reading
    """The claim, with its values and words as the evidence writes them."""
    features: Features
    entailment: Entailment | None = None
    """None without a cross-encoder."""
    one_event: bool = True
    """Whether the strip that speaks most against the claim is on the same event."""


def examine(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder | None
) -> list[Finding]:
    """What is known of claims with the same evidence; without an encoder only lexical features."""
    found = list[Finding]()
    for reading in claims:
        claim = as_stated(reading, evidence)
        known = compare(claim, evidence)
        check_time()
        features = lexical_features(claim, evidence)
        found.append(Finding(known.differences, known.disputes, known.told, claim, features))
    if encoder is None:
        return found
    by_rule = {f.claim for f in found if f.told or f.differences or f.features["contained"]}
    neural = read_entailment([f.claim for f in found], evidence, encoder, by_rule)
    for number, (ours, theirs) in enumerate(zip(found, neural, strict=True)):
        one_event = theirs.strip is None or _is_one(ours.claim, theirs.strip, evidence)
        features = ours.features | theirs.features
        found[number] = replace(ours, features=features, entailment=theirs, one_event=one_event)
    return found


def _is_one(claim: Reading, strip: Strip, evidence: Evidence) -> bool:
    """Whether a strip is on a dated claim's event, its own dates are read, and no change agrees.

    Of a claim that may deny something or not, nothing is sure.
    """
    pair = Pair(claim, strip, evidence, presupposed(claim, evidence))
    is_read = pair.one_event() and not UNREAD.search(strip.text)
    changes = [value for value in find_values(claim.text) if value.is_change]
    is_change = bool(changes) and all(has_value(v, find_values(strip.text)) for v in changes)
    is_open = is_change or is_denial(claim.words, claim.bag) is None
    return not is_open and (is_read or not find_dates(claim.text))


def examine_by(
    weights: VerifierWeights, claims: Sequence[Reading], evidence: Evidence
) -> list[Finding]:
    """What is known of claims with the same evidence, as far as the weights ask for it."""
    return examine(claims, evidence, load_encoder(weights))


def load_encoder(weights: VerifierWeights) -> CrossEncoder | None:
    """The cross-encoder that the weights were fitted with; None for lexical ones."""
    return load_cross_encoder(weights.cross_encoder) if weights.neural else None


def score_finding(finding: Finding, weights: VerifierWeights) -> float:
    """The probability of support, assuming a balanced prior.

    A refuted claim has at most what its refutation leaves.
    """
    probability = weights.probability(finding.features)
    if finding.differences:
        return min(probability, IN_SPITE)
    if finding.told:
        return max(probability, 1 - IN_SPITE)
    if is_refuted(finding, weights):
        return min(probability, 1 - refutation(finding))
    return probability


def refutation(finding: Finding) -> float:
    """The probability that a strip on the same event refutes the claim; 0 without an encoder.

    A claim of which a strip has all words in order is not refuted so.
    """
    is_other = finding.told or not finding.one_event or finding.features["contained"]
    if is_other or finding.entailment is None:
        return 0.0
    return finding.entailment.refuted


def is_refuted(finding: Finding, weights: VerifierWeights) -> bool:
    """Whether the cross-encoder is sure enough that a strip refutes the claim."""
    return weights.refuting is not None and refutation(finding) >= weights.refuting
