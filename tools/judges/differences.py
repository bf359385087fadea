"""Where a strip says otherwise than a claim: what can be told exactly.

A difference counts only if the strip speaks of the same thing: apart from what differs, it has most
of the claim's words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from errata.tools.judges.cells import find_misplaced
from errata.tools.judges.contradictions import (
    LIFE_EVENTS,
    find_contradictions,
    find_missing_entities,
)
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.meanings import find_contrary
from errata.tools.judges.pairs import Difference, Kind, Pair, first_name, presupposed
from errata.tools.judges.values import find_values, has_change
from errata.tools.text.denials import deny_alike, is_denial
from errata.tools.text.entities import find_entities, write_like
from errata.tools.text.strips import Strip

SHARED: dict[Kind, float] = {
    "negation": 0.8, "opposite": 0.7, "quantity": 0.7, "scale": 0.4, "date": 0.7, "time": 0.6,
    "ordinal": 0.7, "place": 0.8, "roles": 0.5, "conflict": 0.7,
}  # fmt: skip
"""The share of a claim's other words, by idf, that the strip must have."""


@dataclass(frozen=True)
class Comparison:
    """Where the strips that match a claim best say otherwise."""

    differences: Sequence[Difference]
    """What refutes the claim, the surest first."""
    disputes: Sequence[Difference]
    """On what the documents disagree."""
    held: Strip | None
    """A strip that has all words of the claim and differs in nothing."""
    denied: Strip | None
    """A strip that has another value in place of one that the claim denies."""


def compare(claim: Reading, evidence: Evidence) -> Comparison:
    """A claim beside the strips that match it best."""
    known = presupposed(claim, evidence)
    pairs = [Pair(claim, strip, evidence, known) for strip, _ in evidence.best(claim)]
    found = [d for pair in pairs for d in _find_all(pair) if d.shared >= SHARED[d.kind]]
    found += _find_other_dates(claim, evidence)
    denied = next((d.strip for d in found if _is_denied(d, claim)), None)
    sure = [] if denied else sorted(found, key=lambda d: -d.shared)
    held = _find_holding(p for p in pairs if all(d.strip != p.strip for d in sure))
    settled = [_settle(difference, held, evidence) for difference in sure]
    differences = [d for d in settled if d and not d.borne_out]
    rivals = list(_find_rivals(differences, evidence))
    return Comparison(
        differences=[] if rivals else differences,
        disputes=[*(d for d in settled if d and d.borne_out), *rivals],
        held=held,
        denied=denied,
    )


def _find_all(pair: Pair) -> Iterator[Difference]:
    """All differences, however few words claim and strip share."""
    for find in (find_values, find_misplaced, find_contrary):
        yield from find(pair)


def _find_other_dates(claim: Reading, evidence: Evidence) -> Iterator[Difference]:
    """What any strip states in place of a date that none has."""
    for entity in find_missing_entities(claim, evidence):
        if entity.kind in ("date", "year"):
            for found in find_contradictions(entity, claim, evidence):
                new = write_like(found.stated, entity)
                pair = Pair(claim, found.strip, evidence, frozenset())
                if not (pair.one_event() or claim.bag & LIFE_EVENTS):
                    continue
                yield Difference("date", entity.text, found.stated.text, found.strip, 1.0, new)


def _is_denied(difference: Difference, claim: Reading) -> bool:
    """Whether it is another value than one that the claim denies: what is not 9 km may be 12."""
    is_value = difference.kind in ("quantity", "scale", "date", "time", "ordinal", "place")
    ours = is_denial(claim.words, claim.bag)
    return is_value and ours and not deny_alike(claim.words, difference.strip.words, claim.bag)


def _find_holding(pairs: Iterable[Pair]) -> Strip | None:
    """A strip that differs in nothing, has all words of the claim and denies as much.

    A change is among its words if it can be reckoned: by 15 from 40 to 55.
    """
    for pair in pairs:
        claim, strip = pair.claim, pair.strip
        words = claim.context - (pair.presupposed if pair.same_subject() else frozenset())
        words -= _numbers(claim) if has_change(claim, strip) else frozenset()
        has_all = words <= strip.bag and len(words) > 1
        if has_all and deny_alike(claim.words, strip.words, claim.bag):
            return strip
    return None


def _numbers(claim: Reading) -> frozenset[str]:
    return frozenset(stem for stem in claim.context if stem[0].isdigit())


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
