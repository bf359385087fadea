"""Where a strip says otherwise than a claim: what can be told exactly.

A difference counts only if the strip speaks of the same thing: apart from what differs, it has most
of the claim's words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.meanings import find_denials, find_exchanged_roles, find_opposites
from errata.tools.judges.misplaced import find_misplaced, is_in_place
from errata.tools.judges.other_values import (
    LIFE_EVENTS,
    find_life_dates,
    find_other_values,
    find_unmentioned,
    has_life_date,
)
from errata.tools.judges.pairs import Difference, Kind, Pair, first_name, presupposed
from errata.tools.judges.values import find_values, has_value
from errata.tools.text.denials import is_denial
from errata.tools.text.entities import find_entities
from errata.tools.text.strips import Strip

SHARED: dict[Kind, float] = {
    "negation": 0.8, "opposite": 0.7, "quantity": 0.7, "scale": 0.4, "date": 0.7, "time": 0.6,
    "ordinal": 0.7, "place": 0.8, "name": 0.7, "life": 0.0, "roles": 0.5, "conflict": 0.7,
}  # fmt: skip
"""The share of a claim's other words, by idf, that the strip must have."""
_FINDERS = (
    find_other_values, find_misplaced, find_life_dates, find_opposites, find_denials,
    find_exchanged_roles,
)  # fmt: skip
OPENINGS = 50
"""How many opening strips are read for life dates."""


@dataclass(frozen=True)
class Comparison:
    """Where the strips that match a claim best say otherwise."""

    differences: Sequence[Difference]
    """What refutes the claim, the surest first."""
    disputes: Sequence[Difference]
    """On what the documents disagree."""
    told: Strip | None
    """A strip that bears the claim out exactly: with another value in place of one that the claim
    denies, with the day of a birth or death in brackets, with its count among several, or word for
    word."""


def compare(claim: Reading, evidence: Evidence) -> Comparison:
    """A claim beside the strips that match it best."""
    known = presupposed(claim, evidence)
    strips = [strip for strip, _ in evidence.best(claim)]
    if not claim.bag.isdisjoint(LIFE_EVENTS):
        # Openings have the life dates of whom their documents are about.
        strips = list(dict.fromkeys([*strips, *evidence.openings[:OPENINGS]]))
    pairs = [Pair(claim, strip, evidence, known) for strip in strips]
    every = (d for pair in pairs for find in _FINDERS for d in find(pair))
    found = [difference for difference in every if difference.shared >= SHARED[difference.kind]]
    found += find_unmentioned(claim, evidence)
    told = next((d.strip for d in found if _is_denied(d, claim)), None)
    told = told or next((strip for strip in strips if has_life_date(claim, strip)), None)
    sure = [] if told else sorted(_nearest(found, claim), key=lambda d: -d.shared)
    holding = _find_holding(p for p in pairs if all(d.strip != p.strip for d in sure))
    settled = [_settle(difference, holding, evidence) for difference in sure]
    differences = [d for d in settled if d and not d.borne_out]
    rivals = list(_find_rivals(differences, evidence))
    if not any(settled):
        said = (p.strip for p in pairs if tuple(claim.stems) == p.strip.stems or is_in_place(p))
        told = told or next(said, None)
    return Comparison(
        differences=[] if rivals else differences,
        disputes=[*(d for d in settled if d and d.borne_out), *rivals],
        told=told,
    )


def _nearest(found: Sequence[Difference], claim: Reading) -> Iterator[Difference]:
    """Those whose strip has all of the claim's words that another one's has: Ulm's, not Bonn's."""
    for difference in found:
        own = claim.bag & difference.strip.bag
        others = (d.strip.bag & claim.bag for d in found if d.claimed == difference.claimed)
        if not any(own < other for other in others):
            yield difference


def _is_denied(difference: Difference, claim: Reading) -> bool:
    """Whether it is another value than one that the claim denies: what is not 9 km may be 12."""
    is_value = difference.kind not in ("negation", "opposite", "roles", "conflict")
    ours, theirs = (is_denial(words, claim.bag) for words in (claim.words, difference.strip.words))
    return is_value and ours and not theirs


def _find_holding(pairs: Iterable[Pair]) -> Strip | None:
    """A strip that differs in nothing, has all words of the claim and denies as much.

    A change is among its words if it can be reckoned: by 15 from 40 to 55.
    """
    for pair in pairs:
        changes = (value for value in find_values(pair.claim.text) if value.is_change)
        reckoned = (v.stems for v in changes if has_value(v, find_values(pair.strip.text)))
        words = pair.claim.context.difference(pair.known, *reckoned)
        if len(words) > 1 and words <= pair.strip.bag and pair.deny_alike:
            return pair.strip
    return None


def _settle(difference: Difference, holding: Strip | None, evidence: Evidence) -> Difference | None:
    """A difference beside a strip that bears the claim out: a dispute of two documents, or none."""
    if holding is None or difference.borne_out:
        return difference
    names = [first_name(find_entities(strip.text)) for strip in (holding, difference.strip)]
    one, other = (name.stems if name else frozenset[str]() for name in names)
    is_other = bool(one and other) and one.isdisjoint(other)
    is_dispute = evidence.are_two_sources(holding, difference.strip) and not is_other
    return replace(difference, borne_out=holding) if is_dispute else None


def _find_rivals(differences: Sequence[Difference], evidence: Evidence) -> Iterator[Difference]:
    """Two documents that each have another value than the claim, and not the same one."""
    for one in differences:
        for other in differences:
            is_same = (one.kind, one.claimed) == (other.kind, other.claimed)
            is_rival = is_same and one.replacement and one.replacement < other.replacement
            if is_rival and evidence.are_rivals(one.strip, other.strip):
                yield replace(one, kind="conflict", claimed=other.stated, borne_out=other.strip)
                return
