"""Which strip can bear a claim out: one that has the claim's own numbers, dates and names."""

from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.pairs import is_like, presupposed
from errata.tools.judges.values import find_values, has_value
from errata.tools.text.entities import Entity
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
    stated = find_values(strip.text)
    names = (entity for entity in claim.all_entities if entity.kind == "name")
    return all(
        claimed.text in strip.text or has_value(claimed, stated)
        for claimed in find_values(claim.text)
    ) and all(_has_name(name, strip, known | title) for name in names)


def _has_name(name: Entity, strip: Strip, known: frozenset[str]) -> bool:
    """Whether a strip has of a name a word that is not known anyhow."""
    rest = name.stems - known
    return not rest or any(stem in strip.bag or is_like(stem, strip.bag) for stem in rest)
