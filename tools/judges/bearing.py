"""Which strip can bear a claim out: one that has the claim's own numbers, dates and names."""

from errata.tools.judges.evidence import Evidence, Reading, appears_in
from errata.tools.judges.pairs import is_like, presupposed
from errata.tools.judges.values import has_change
from errata.tools.text.agreement import agree as holds
from errata.tools.text.entities import Entity
from errata.tools.text.quantities import Quantity, find_quantities, find_times
from errata.tools.text.strips import Strip


def find_bearing(claim: Reading, closest: Strip, evidence: Evidence) -> Strip | None:
    """The closest strip, or else the best other one, that has all values and names of a claim.

    "It employs 140 people" is borne out by "It has a staff of about 140", not by "It was founded
    in 2018". A name that the question or a document is about need not be in the strip.
    """
    known = presupposed(claim, evidence)
    strips = (closest, *(strip for strip, _ in evidence.best(claim)))
    return next((strip for strip in strips if _has_all(claim, strip, known, evidence)), None)


def _has_all(claim: Reading, strip: Strip, known: frozenset[str], evidence: Evidence) -> bool:
    title = evidence.title_stems(strip.document)
    quantities = find_quantities(claim.text)
    taken = [range(quantity.start, quantity.end) for quantity in quantities]
    return (
        (has_change(claim, strip) or all(_has_quantity(quantity, strip) for quantity in quantities))
        and all(
            _has_entity(entity, strip, known | title)
            for entity in claim.all_entities
            if not any(entity.start in span for span in taken)
        )
        and {t.minutes for t in find_times(claim.text)}
        <= {t.minutes for t in find_times(strip.text)}
    )


def _has_quantity(claimed: Quantity, strip: Strip) -> bool:
    """Whether a strip has a quantity that bears a claim's out, or the same digits."""
    stated = find_quantities(strip.text)
    return claimed.text in strip.text or any(
        other.kind == claimed.kind and holds(claimed, other) for other in stated
    )


def _has_entity(entity: Entity, strip: Strip, known: frozenset[str]) -> bool:
    """Whether a strip has a date or number, or of a name a word that is not known anyhow."""
    if entity.kind != "name":
        return appears_in(entity, [strip])
    return entity.stems <= known or any(
        stem in strip.bag or is_like(stem, strip.bag) for stem in entity.stems - known
    )
