"""RAC's correct role: one stretch of a refuted claim replaced by what the evidence has.

A number or date that the evidence states in place of the claim's; else the words that the reader
tags as wrong are masked, and it reads from the evidence what stands there: masker and corrector as
of Thorne and Vlachos (2021) and ZeroFEC (Huang and others, 2023).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from errata.core.edits import as_written
from errata.core.limits import check_time
from errata.core.records import Claim, Document, Fix, Verdict
from errata.core.words import places_of
from errata.tools.judges.cross_encoder import GAP
from errata.tools.judges.entailment import EXCERPT, excerpt_for, join_strips, name_entity
from errata.tools.judges.evidence import Evidence, Reading, read_claim, read_evidence
from errata.tools.judges.findings import (
    SUPPORTED,
    ClaimFinding,
    VerifierWeights,
    examine_by,
    is_refuted,
    load_encoder,
    read_verifier_weights,
)
from errata.tools.judges.values import find_values, has_value, is_stated, write_as
from errata.tools.judges.verifier import verify
from errata.tools.local.candidates import find_doubts
from errata.tools.text.citations import strip_marks
from errata.tools.text.entities import find_dates, find_entities
from errata.tools.text.words import NEGATIONS, content_stems, fix_article, replace_span, split_words

MENDED = 0.8
"""The least probability that a claim is supported whose new words were chosen among several."""
CHOICES = 4
"""How many values are tried in place of one."""
_RELATING = frozenset("by in at from to for with of on near".split())
"""What says how a name belongs to a sentence: another one is put in only after the same word."""


@dataclass(frozen=True)
class Proposal:
    """A claim with one stretch replaced."""

    text: str
    claimed: str
    stated: str
    least: float = SUPPORTED
    """The least probability of support that it needs."""


def correct(
    question: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
    weights: str = "",
    others: Sequence[Claim] = (),
) -> list[Fix]:
    """Fixes that each replace one stretch of a claim: a date, a number, words that are wrong.

    A claim is fixed only if its probability is below one half, no documents disagree on it, and
    the verifier finds the new claim supported. No fix says what a claim of other words says;
    `others` are those of the draft that are not to be fixed.
    """
    if not claims:
        return []
    evidence, model = read_evidence(question, claims, documents), read_verifier_weights(weights)
    judge = partial(verify, question, documents=documents, weights=weights)
    readings = [read_claim(claim.text, question) for claim in claims]
    findings = examine_by(model, readings, evidence)
    fixes = list[Fix]()
    for claim, reading, finding in zip(claims, readings, findings, strict=True):
        check_time()
        likely = model.probability(finding.features) >= SUPPORTED and not finding.differences
        if not (likely or finding.dispute):
            fixes += _mend(claim, _propose(reading, finding, evidence, model), judge)
    new = {fix.claim: fix.text for fix in fixes}
    origins = defaultdict[frozenset[str], set[frozenset[str]]](set)
    for claim in (*claims, *others):
        origins[content_stems(new.get(claim.id, claim.text))].add(content_stems(claim.text))
    return [fix for fix in fixes if len(origins[content_stems(fix.text)]) == 1]


def _mend(
    claim: Claim, proposals: Iterable[Proposal], judge: Callable[[list[Claim]], list[Verdict]]
) -> list[Fix]:
    """The claim's fix by the likeliest proposal that is found supported, if one is."""
    best, fixes = 0.0, list[Fix]()
    for proposal in {each.text: each for each in proposals}.values():
        new = Claim(id=claim.id, text=proposal.text, start=claim.start, end=claim.end)
        [verdict] = judge([new])
        score = verdict.score or 0.0
        is_likely = verdict.label == "supported" or (
            verdict.label == "not_mentioned" and proposal.least == SUPPORTED
        )
        if is_likely and score >= max(proposal.least, best):
            said = f"the draft says {proposal.claimed}; the evidence says {proposal.stated}"
            text = as_written(strip_marks(claim.text), proposal.text)
            best = score
            fixes = [Fix(claim=claim.id, text=text, evidence=verdict.evidence, explanation=said)]
    return fixes


def _propose(
    claim: Reading, finding: ClaimFinding, evidence: Evidence, model: VerifierWeights
) -> Iterator[Proposal]:
    """A value that the evidence states; else what it has in place of words that are wrong."""
    doubted = dict.fromkeys(difference.claimed for difference in finding.differences)
    for claimed in doubted:
        first, *others = (d.stated for d in finding.differences if d.claimed == claimed)
        agreed = [value for value in first if all(has_value(value, each) for each in others)]
        least = SUPPORTED if len(agreed) == 1 else MENDED
        for value in agreed[:CHOICES]:
            yield from _replace(claim, claimed.text, write_as(claimed, value), least)
    if not doubted and is_refuted(finding, evidence, model):
        proposals = _exchange(claim, finding.wrong, evidence)
        if finding.wrong:
            alike = _as_alike(finding.wrong, _read(claim, finding.wrong, evidence, model))
            proposals = chain(_replace(claim, finding.wrong, alike, MENDED), proposals)
        yield from _tell_events(claim, evidence, proposals)


def _tell_events(
    claim: Reading, evidence: Evidence, proposals: Iterable[Proposal]
) -> Iterator[Proposal]:
    """The proposals without dates that no strip has beside a word of what happened then."""
    names = frozenset[str]().union(*(entity.stems for entity in claim.all_entities))
    said = {*claim.own_stems} - names
    told = [strip.text for strip in evidence.best(claim) if not said or strip.bag & said]
    for proposal in proposals:
        values = find_values(proposal.stated) if find_dates(proposal.claimed) else []
        if not values or any(all(is_stated(v, text) for v in values) for text in told):
            yield proposal


def _exchange(claim: Reading, wrong: str, evidence: Evidence) -> Iterator[Proposal]:
    """Values and names of the passages in place of the wrong ones; of any where none is known."""
    shown = [strip.text for strip in excerpt_for(claim, evidence, EXCERPT)]
    for words, candidates in find_doubts(claim.text, shown):
        if not wrong or words in wrong or wrong in words:
            before = _words_before(words, [claim.text])
            for candidate in candidates[:CHOICES]:
                others = _words_before(candidate, shown)
                if not (before & _RELATING and others <= _RELATING - before):
                    yield from _replace(claim, words, _as_alike(words, candidate), MENDED)


def _words_before(words: str, texts: Iterable[str]) -> set[str]:
    """The word before some words wherever texts have them; empty where they begin one."""
    before = rf"(?:(\w+)\s+)?(?<!\w){re.escape(words)}(?!\w)"
    return {found.lower() for text in texts for found in re.findall(before, text)}


def _read(claim: Reading, words: str, evidence: Evidence, model: VerifierWeights) -> str:
    """What the reader finds in the evidence in place of words of a claim; empty if nothing."""
    masked = next(_replace(claim, words, GAP), None)
    if not masked:
        return ""
    shown = join_strips(excerpt_for(claim, evidence, EXCERPT), evidence)
    [read] = load_encoder(model).read([(name_entity(masked.text, claim.question_entity), shown)])
    # What stands in the evidence as well is not wrong, but of another thing.
    is_there = places_of(words.casefold(), shown.casefold())
    if read.answer and read.answer.odds > 0 and not is_there:
        return shown[read.answer.start : read.answer.end]
    return ""


def _as_alike(words: str, others: str) -> str:
    """Other words where they are of one kind: a value, the same entities, as many plain words.

    >>> _as_alike("in 1911", "May 1901"), _as_alike("Rome in 1911", "1901")
    ('in 1901', '')
    >>> _as_alike("raises", "lowers"), _as_alike("Rome in 1911", "Bern in 1901")
    ('lowers', 'Bern in 1901')
    """
    kinds = [[entity.kind for entity in find_entities(text)] for text in (words, others)]
    ours, theirs = find_values(words), find_values(others)
    if len(ours) == 1 and "name" not in kinds[0]:
        [value] = ours
        like = [other for other in theirs if other.is_like(value)]
        stated = write_as(value, like[0]) if like else ""
        return replace_span(words, value.start, value.end, stated) if stated else ""
    own = [split_words(text) for text in (words, others)]
    is_plain = all(
        w.is_content and w.text.isalpha() and w.text.lower() not in NEGATIONS for w in chain(*own)
    )
    same_values = [v.kind for v in ours] == [v.kind for v in theirs] and all(
        a.is_like(b) for a, b in zip(ours, theirs, strict=True)
    )
    is_alike = kinds[0] or (is_plain and len(own[0]) == len(own[1]))
    return others if kinds[0] == kinds[1] and same_values and is_alike else ""


def _replace(claim: Reading, words: str, stated: str, least: float = 0.0) -> Iterator[Proposal]:
    """The claim with words replaced that stand in it once; an article before them fits."""
    places = list(re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", claim.text, re.IGNORECASE))
    if len(places) == 1 and stated:
        start, end = places[0].span()
        is_last = claim.text.endswith(".") and end == len(claim.text)
        stated = f"{stated}." if is_last and not stated.endswith(".") else stated
        text = fix_article(replace_span(claim.text, start, end, stated), start)
        yield Proposal(text, words, stated, least)
