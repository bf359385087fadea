"""Where a strip says otherwise than a claim: what can be told exactly.

A difference counts only if the strip speaks of the same thing: apart from what differs, it has most
of the claim's words.
"""

from collections.abc import Iterator

from errata.tools.judges.cells import find_misplaced
from errata.tools.judges.contradictions import find_life_dates
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.meanings import find_contrary
from errata.tools.judges.pairs import Difference, Kind, Pair, presupposed
from errata.tools.judges.values import find_values
from errata.tools.text.entities import write_like

SHARED: dict[Kind, float] = {
    "negation": 0.8,
    "opposite": 0.7,
    "quantifier": 0.8,
    "mode": 0.7,
    "quantity": 0.7,
    "scale": 0.4,
    "date": 0.7,
    "weekday": 0.7,
    "ordinal": 0.7,
    "place": 0.8,
    "change": 0.7,
    "roles": 0.5,
    "doer": 0.8,
    "identity": 0.7,
}
"""The share of a claim's other words, by idf, that the strip must have."""


def find_differences(claim: Reading, evidence: Evidence) -> list[Difference]:
    """The differences between a claim and the strips that match it best, the surest first."""
    known = presupposed(claim, evidence)
    pairs = [Pair(claim, strip, evidence, known) for strip, _ in evidence.best(claim)]
    found = [
        difference
        for pair in pairs
        if pair.same_subject()
        for find in (find_values, find_misplaced, find_contrary)
        for difference in find(pair)
        if difference.shared >= SHARED[difference.kind]
    ]
    return sorted([*found, *_life_dates(claim, evidence)], key=lambda d: -d.shared)


def _life_dates(claim: Reading, evidence: Evidence) -> Iterator[Difference]:
    """Another day of birth or death than the claim's."""
    for found in find_life_dates(claim, evidence):
        new = write_like(found.stated, found.claimed)
        yield Difference("date", found.claimed.text, found.stated.text, found.strip, 1.0, new)
