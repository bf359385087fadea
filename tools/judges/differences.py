"""Where a strip says otherwise than a claim: what can be told exactly.

A difference counts only if the strip speaks of the same thing: apart from what differs, it has most
of the claim's words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from errata.tools.judges.cells import find_misplaced
from errata.tools.judges.contradictions import find_life_dates
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.meanings import find_contrary, find_doers
from errata.tools.judges.pairs import Difference, Kind, Pair, first_name, presupposed
from errata.tools.judges.roles import find_stated_doer, is_passive
from errata.tools.judges.values import find_values
from errata.tools.text.denials import deny_alike
from errata.tools.text.entities import find_entities, write_like
from errata.tools.text.strips import Strip

SHARED: dict[Kind, float] = {
    "negation": 0.8,
    "opposite": 0.7,
    "quantifier": 0.8,
    "mode": 0.7,
    "quantity": 0.7,
    "scale": 0.4,
    "date": 0.7,
    "weekday": 0.7,
    "time": 0.6,
    "order": 0.6,
    "ordinal": 0.7,
    "place": 0.8,
    "change": 0.7,
    "roles": 0.5,
    "doer": 0.6,
    "identity": 0.7,
}
"""The share of a claim's other words, by idf, that the strip must have."""


NEAR = 0.8
"""The share of a claim's words by which a strip says the same of somebody."""
DOUBTED = 0.3
"""The share from which on a difference in a value keeps a claim from being supported."""
VALUES: frozenset[Kind] = frozenset(
    (
        "quantity",
        "scale",
        "date",
        "weekday",
        "time",
        "ordinal",
        "place",
        "roles",
        "doer",
        "identity",
    )
)
"""The kinds of differences that count so."""


@dataclass(frozen=True)
class Comparison:
    """Where the strips that match a claim best say otherwise."""

    differences: Sequence[Difference]
    """What refutes the claim, the surest first."""
    disputes: Sequence[Difference]
    """The same where another document bears the claim out."""
    doubts: Sequence[str]
    """Why the claim is not supported, but not refuted either."""
    is_held: bool
    """Whether a strip has all words of the claim and differs in nothing."""


def compare(claim: Reading, evidence: Evidence) -> Comparison:
    """A claim beside the strips that match it best."""
    known = presupposed(claim, evidence)
    pairs = [Pair(claim, strip, evidence, known) for strip, _ in evidence.best(claim)]
    found = list(_find_all(pairs))
    sure = [d for d in found if d.shared >= SHARED[d.kind]]
    sure = sorted([*sure, *_life_dates(claim, evidence)], key=lambda d: -d.shared)
    holding = _find_holding(p for p in pairs if all(d.strip != p.strip for d in sure))
    settled = [_settle(difference, holding, evidence) for difference in sure]
    return Comparison(
        differences=[d for d in settled if d and not d.borne_out],
        disputes=[d for d in settled if d and d.borne_out],
        doubts=[*([] if holding else _doubts(found)), *_other_doers(claim, pairs)],
        is_held=holding is not None,
    )


def _find_holding(pairs: Iterable[Pair]) -> Strip | None:
    """A strip that differs in nothing, has all words of the claim and denies as much."""
    for pair in pairs:
        claim, read = pair.claim, pair.read
        has_all = claim.context <= read.bag and len(claim.context) > 1
        if has_all and deny_alike(claim.words, read.words, claim.bag):
            return pair.strip
    return None


def _settle(difference: Difference, holding: Strip | None, evidence: Evidence) -> Difference | None:
    """A difference beside a strip that bears the claim out: a dispute of two documents, or none."""
    if holding is None or difference.borne_out:
        return difference
    read = evidence.named(difference.strip)
    names = [first_name(find_entities(evidence.named(holding).text)), first_name(read.entities)]
    one, other = (name.stems if name else frozenset[str]() for name in names)
    is_other = bool(one and other) and one.isdisjoint(other)
    is_dispute = evidence.are_two_sources(holding, difference.strip) and not is_other
    return replace(difference, borne_out=holding) if is_dispute else None


def _find_all(pairs: Iterable[Pair]) -> Iterator[Difference]:
    """All differences, however few words claim and strip share."""
    for pair in pairs:
        yield from find_doers(pair)
        if pair.same_subject():
            for find in (find_values, find_misplaced, find_contrary):
                yield from find(pair)


def _doubts(found: Sequence[Difference]) -> Iterator[str]:
    """Other values in strips that have too few of the claim's words to refute it."""
    for difference in found:
        if difference.kind in VALUES and DOUBTED <= difference.shared < SHARED[difference.kind]:
            yield difference.explanation


def _other_doers(claim: Reading, pairs: Iterable[Pair]) -> Iterator[str]:
    """Whom the strips with most of the claim's words name as doing what it says of another."""
    name = first_name(claim.all_entities)
    if name is None or is_passive(claim.text):
        return
    near = [pair.read.text for pair in pairs if pair.shared(name.stems) >= NEAR]
    if other := find_stated_doer(claim.text, near):
        yield f"the documents say this of {other}"


def _life_dates(claim: Reading, evidence: Evidence) -> Iterator[Difference]:
    """Another day of birth or death than the claim's."""
    for found in find_life_dates(claim, evidence):
        new = write_like(found.stated, found.claimed)
        yield Difference("date", found.claimed.text, found.stated.text, found.strip, 1.0, new)
