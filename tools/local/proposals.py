"""What could stand in place of what a refuted claim has wrong, the surest first.

A value that the evidence states in place of the claim's, an opposite, an exchange of two sides, a
denial. What is left is masked, and the cross-encoder reads from the evidence what stands there:
masker and corrector as of Thorne and Vlachos (2021) and ZeroFEC (Huang and others, 2023).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from errata.tools.judges.answers import GAP
from errata.tools.judges.contradictions import (
    Contradiction,
    find_contradictions,
    find_missing_entities,
)
from errata.tools.judges.cross_encoder import CrossEncoder
from errata.tools.judges.entailment import STRIPS, best_strips, join_strips, name_entity
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.findings import Finding
from errata.tools.judges.roles import find_exchange
from errata.tools.text.denials import is_denying_word, with_denial, without_denial
from errata.tools.text.entities import find_entities, write_like
from errata.tools.text.opposites import CONTRARIES
from errata.tools.text.rewording import fix_article, replace_span
from errata.tools.text.strips import Strip
from errata.tools.text.words import Word, split_words

GAPS = 3
"""How many stretches of a claim are asked for, each in one reading."""
RUN = 3
"""The most words of a gap that is no entity."""
Source = Literal["guess", "told", "bracket"]
"""How new words were found: guessed, told exactly, or told by the days in a name's brackets."""


@dataclass(frozen=True)
class Proposal:
    """A claim with one stretch replaced, or turned as a whole."""

    text: str
    claimed: str
    stated: str
    start: int = -1
    """Where the stretch begins in the claim; -1 where the claim is turned."""
    source: Source = "guess"


@dataclass(frozen=True)
class _Gap:
    """A stretch of a claim that may be wrong."""

    start: int
    end: int
    kind: str
    """An entity's kind; empty for other words."""


def propose_stated(
    claim: Reading, finding: Finding, evidence: Evidence
) -> Iterator[list[Proposal]]:
    """The claim with a value that the evidence states in place of its own, by all strips that do.

    Those for one value are together: where they are several, the evidence does not agree.
    """
    for entity in find_missing_entities(claim, evidence):
        found = {c.stated.key: c for c in find_contradictions(entity, claim, evidence)}
        yield [_replace_entity(claim, contradiction) for contradiction in found.values()]
    yield list(dict.fromkeys(_replace_differences(claim, finding)))


def _replace_entity(claim: Reading, found: Contradiction) -> Proposal:
    in_brackets = rf"\([^()]*{re.escape(found.stated.text)}"
    source: Source = "bracket" if re.search(in_brackets, found.strip.text) else "told"
    new = write_like(found.stated, found.claimed)
    return _replace(claim, found.claimed.start, found.claimed.end, new, source)


def _replace_differences(claim: Reading, finding: Finding) -> Iterator[Proposal]:
    for difference in finding.differences:
        word = rf"\b{re.escape(difference.claimed)}(?!\w)"
        places = list(re.finditer(word, claim.text, re.IGNORECASE)) if difference.claimed else []
        if difference.replacement and len(places) == 1:
            yield _replace(claim, *places[0].span(), difference.replacement, "told")


def propose_turned(claim: Reading, finding: Finding, evidence: Evidence) -> Iterator[Proposal]:
    """The claim with its sides exchanged, an opposite in it, or its denial taken out or put in."""
    strips = best_strips(claim, evidence, STRIPS)
    yield from _exchanged(claim, finding)
    stated = {word.text.lower() for strip in strips for word in strip.words}
    for word in claim.words:
        for other in CONTRARIES.get(word.text.lower(), ()):
            if other in stated:
                yield _replace(claim, word.start, word.end, other)
    if any(is_denying_word(word.text.lower()) for word in claim.words):
        yield from (Proposal(text, claim.text, text) for text in without_denial(claim.text))
    elif any(map(is_denying_word, stated)):
        yield from (Proposal(text, claim.text, text) for text in with_denial(claim.text))


def propose_read(
    claim: Reading, evidence: Evidence, encoder: CrossEncoder | None
) -> Iterator[Proposal]:
    """The claim with what the cross-encoder reads in place of one of its stretches."""
    if encoder and encoder.can_answer:
        strips = best_strips(claim, evidence, STRIPS)
        text = join_strips(strips, evidence)
        for gap in _find_gaps(claim, strips)[:GAPS]:
            yield from _fill(claim, gap, text, encoder)


def _exchanged(claim: Reading, finding: Finding) -> Iterator[Proposal]:
    """The claim with the two sides of its verb exchanged, as a strip has them."""
    for difference in finding.differences:
        found = find_exchange(claim.text, difference.strip.text)
        if found is None:
            continue
        (a, b), (c, d) = sorted(_whole(claim.text, words) for words in (found.doer, found.other))
        first, second = claim.text[a:b], claim.text[c:d]
        # A common noun that opens the claim has a capital that it must not take along.
        if b <= c and (a > 0 or first in difference.strip.text):
            text = replace_span(replace_span(claim.text, c, d, first), a, b, second)
            yield Proposal(text, claim.text, text, source="told")


def _whole(text: str, words: Sequence[Word]) -> tuple[int, int]:
    """Where neighbouring words stand, up to the spaces around them: "YouTube" is two words."""
    start, end = words[0].start, words[-1].end
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


def _find_gaps(claim: Reading, strips: Sequence[Strip]) -> list[_Gap]:
    """What may be wrong with a claim; what no strip has comes first.

    Quantities are left to what can be told exactly.
    """
    stated = frozenset[str]().union(*(strip.bag for strip in strips))
    entities = [e for e in claim.entities if e.kind != "number"]
    gaps = [(e.stems <= stated, _Gap(e.start, e.end, e.kind)) for e in entities]
    covered = [range(e.start, e.end) for e in claim.all_entities]
    runs = _runs([w for w in claim.content_words if not any(w.start in r for r in covered)], stated)
    gaps += [(False, _Gap(run[0].start, run[-1].end, "")) for run in runs]
    return [gap for _, gap in sorted(gaps, key=lambda pair: pair[0])]


def _runs(words: Sequence[Word], stated: frozenset[str]) -> list[list[Word]]:
    """Neighbouring words that no strip has, at most RUN together."""
    runs: list[list[Word]] = []
    for word in words:
        if word.stem in stated or is_denying_word(word.text.lower()):
            continue
        if runs and len(runs[-1]) < RUN and word.start - runs[-1][-1].end <= 1:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _fill(claim: Reading, gap: _Gap, text: str, encoder: CrossEncoder) -> Iterator[Proposal]:
    """The claim with what the text has in a gap, if that is of the kind asked for."""
    masked = claim.text[: gap.start] + GAP + claim.text[gap.end :]
    [read] = encoder.read([(name_entity(masked, claim.question_entity), text)])
    answer = read.answer
    if answer and answer.odds > 0:
        stated = _as_asked(text[answer.start : answer.end], claim.text[gap.start : gap.end], gap)
        if stated and not {word.stem for word in split_words(stated)} <= claim.bag:
            yield _replace(claim, gap.start, gap.end, stated)


def _as_asked(answer: str, claimed: str, gap: _Gap) -> str:
    """What of an answer is of a gap's kind; empty if nothing is.

    A name, date or year stands in place of its like, other words in place of as many. A denial is
    no word in place of another.
    """
    if any(is_denying_word(word.text.lower()) for word in split_words(answer)):
        return ""
    entities = find_entities(answer)
    if gap.kind:
        return next((entity.text for entity in entities if entity.kind == gap.kind), "")
    is_as_long = len(answer.split()) == len(claimed.split())
    return answer if is_as_long and not any(e.kind != "name" for e in entities) else ""


def _replace(
    claim: Reading, start: int, end: int, stated: str, source: Source = "guess"
) -> Proposal:
    """The claim with a stretch replaced; an article before it fits, and its full stop stays."""
    is_last = claim.text.endswith(".") and end == len(claim.text)
    stated = f"{stated}." if is_last and not stated.endswith(".") else stated
    text = fix_article(replace_span(claim.text, start, end, stated), start)
    return Proposal(text, claim.text[start:end], stated, start, source)
