"""What could stand in place of what a refuted claim has wrong, the surest first.

A value that the evidence states in place of the claim's, an exchange of two sides, a denial taken
out. A name or date that is left is masked, and the cross-encoder reads from the evidence what
stands there: masker and corrector as of Thorne and Vlachos (2021) and ZeroFEC (Huang and others,
2023).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from errata.core.edits import Borders
from errata.tools.judges.cross_encoder import GAP, CrossEncoder
from errata.tools.judges.entailment import STRIPS, best_strips, join_strips, name_entity
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.findings import Finding
from errata.tools.judges.meanings import find_exchange
from errata.tools.text.denials import is_denying_word, without_denial
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.words import fix_article, replace_span

GAPS = 3
"""How many dates and names of a claim are asked for, each in one reading."""


@dataclass(frozen=True)
class Proposal:
    """A claim with one stretch replaced, or turned as a whole."""

    text: str
    claimed: str
    stated: str
    start: int = -1
    """Where the stretch begins in the claim; -1 where the claim is turned."""
    is_guess: bool = True
    """Whether the new words were guessed, not told exactly."""


def propose_stated(claim: Reading, finding: Finding) -> Iterator[list[Proposal]]:
    """The claim with a value that the evidence states in place of its own, by all strips that do.

    Those for one value are together: where they are several, the evidence does not agree.
    """
    by_value: dict[str, dict[str, Proposal]] = {}
    for difference in finding.differences:
        word = rf"\b{re.escape(difference.claimed)}(?!\w)"
        places = list(re.finditer(word, claim.text, re.IGNORECASE)) if difference.claimed else []
        if difference.replacement and len(places) == 1:
            place, stated = places[0].span(), difference.replacement
            proposal = _replace(claim, *place, stated, is_guess=False)
            by_value.setdefault(difference.claimed, {})[proposal.text] = proposal
    yield from (list(proposals.values()) for proposals in by_value.values())


def propose_turned(claim: Reading, finding: Finding) -> Iterator[Proposal]:
    """The claim with its sides exchanged as a strip has them, or without its denial."""
    yield from _exchanged(claim, finding)
    if any(is_denying_word(word.text.lower()) for word in claim.words):
        yield from (Proposal(text, claim.text, text) for text in without_denial(claim.text))


def propose_read(
    claim: Reading, evidence: Evidence, encoder: CrossEncoder | None
) -> Iterator[Proposal]:
    """The claim with what the cross-encoder reads in place of one of its names and dates."""
    if encoder and encoder.can_answer:
        strips = best_strips(claim, evidence, STRIPS)
        stated = frozenset[str]().union(*(strip.bag for strip in strips))
        # Quantities are left to what can be told exactly; what no strip has comes first.
        gaps = [entity for entity in claim.entities if entity.kind != "number"]
        for gap in sorted(gaps, key=lambda gap: gap.stems <= stated)[:GAPS]:
            yield from _fill(claim, gap, join_strips(strips, evidence), encoder)


def _exchanged(claim: Reading, finding: Finding) -> Iterator[Proposal]:
    """The claim with the two sides of its verb exchanged, as a strip has them."""
    for difference in finding.differences:
        found = find_exchange(claim.text, difference.strip.text)
        if found is None:
            continue
        # "YouTube" is two words.
        borders = Borders(claim.text)
        (a, b), (c, d) = sorted(
            (borders.before(words[0].start), borders.after(words[-1].end))
            for words in (found.doer, found.other)
        )
        first, second = claim.text[a:b], claim.text[c:d]
        # A common noun that opens the claim has a capital that it must not take along.
        if b <= c and (a > 0 or first in difference.strip.text):
            text = replace_span(replace_span(claim.text, c, d, first), a, b, second)
            yield Proposal(text, claim.text, text, is_guess=False)


def _fill(claim: Reading, gap: Entity, text: str, encoder: CrossEncoder) -> Iterator[Proposal]:
    """The claim with what the text has in place of an entity, if that is of its kind."""
    masked = claim.text[: gap.start] + GAP + claim.text[gap.end :]
    [read] = encoder.read([(name_entity(masked, claim.question_entity), text)])
    if read.answer and read.answer.odds > 0:
        found = find_entities(text[read.answer.start : read.answer.end])
        stated = next((entity for entity in found if entity.kind == gap.kind), None)
        if stated and not stated.stems <= claim.bag:
            yield _replace(claim, gap.start, gap.end, stated.text)


def _replace(
    claim: Reading, start: int, end: int, stated: str, *, is_guess: bool = True
) -> Proposal:
    """The claim with a stretch replaced; an article before it fits, and its full stop stays."""
    is_last = claim.text.endswith(".") and end == len(claim.text)
    stated = f"{stated}." if is_last and not stated.endswith(".") else stated
    text = fix_article(replace_span(claim.text, start, end, stated), start)
    return Proposal(text, claim.text[start:end], stated, start, is_guess)
