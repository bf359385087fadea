"""A claim with its values as the evidence writes them."""

from collections.abc import Iterator

from errata.bounds import current_bounds
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.entities import Entity, agree
from errata.tools.text.quantities import Quantity, find_quantities, is_alike, with_hedge
from errata.tools.text.quantities import agree as holds
from errata.tools.text.rewording import replace_span
from errata.tools.text.strips import Strip

Replacement = tuple[int, int, str]
"""Where a value stands in a claim, in characters, and how a strip writes it."""


def as_stated(claim: Reading, evidence: Evidence) -> Reading:
    """The claim with every quantity and date that a strip bears out written as in that strip.

    The cross-encoder compares words: it does not know that 5,400 metres are 5.4 kilometres.

    >>> from errata.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> evidence = Evidence(split_strips(Document(text="The tunnel is 5.4 kilometres long.")))
    >>> as_stated(Reading("The tunnel is more than 5,000 metres long."), evidence).text
    'The tunnel is 5.4 kilometres long.'
    """
    strips = [strip for strip, _ in evidence.best(claim)]
    text = claim.text
    for start, end, stated in sorted([*_quantities(claim, strips), *_dates(claim, strips)])[::-1]:
        text = replace_span(text, start, end, stated)
    return Reading(text, claim.topic, claim.question_entity) if text != claim.text else claim


def _quantities(claim: Reading, strips: list[Strip]) -> Iterator[Replacement]:
    for claimed in find_quantities(claim.text)[: current_bounds().max_entities]:
        stated = next((q for strip in strips for q in _bearing_out(claimed, strip)), None)
        if stated and stated.text.lower() != claimed.text.lower():
            yield with_hedge(claim.text, claimed), claimed.end, stated.text


def _bearing_out(claimed: Quantity, strip: Strip) -> Iterator[Quantity]:
    for stated in find_quantities(strip.text):
        if is_alike(claimed, stated) and holds(claimed, stated):
            yield stated


def _dates(claim: Reading, strips: list[Strip]) -> Iterator[Replacement]:
    dates = (entity for entity in claim.all_entities if entity.kind == "date")
    for claimed in dates:
        stated = (e for strip in strips for e in strip.entities if _is_finer(e, claimed))
        found = next(stated, None)
        if found and found.text != claimed.text:
            yield claimed.start, claimed.end, found.text


def _is_finer(stated: Entity, claimed: Entity) -> bool:
    """Whether a date says all that another one says."""
    parts = zip(stated.key.split("-"), claimed.key.split("-"), strict=False)
    return (
        stated.kind == "date"
        and agree(stated, claimed)
        and all(a != "?" or b == "?" for a, b in parts)
    )
