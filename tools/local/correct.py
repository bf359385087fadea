"""RAC's correct role: one thing of a refuted claim replaced by what the evidence has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.core.edits import Borders
from errata.core.limits import check_time, note_undone
from errata.core.records import Claim, Document, Fix, VerdictLabel
from errata.tools.judges.cross_encoder import GAP, CrossEncoder
from errata.tools.judges.differences import compare
from errata.tools.judges.entailment import STRIPS, best_strips, join_strips, name_entity
from errata.tools.judges.evidence import Evidence, Reading, read_claim, read_evidence
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    examine_by,
    is_refuted,
    load_encoder,
    read_verifier_weights,
    score_finding,
)
from errata.tools.judges.meanings import find_exchange
from errata.tools.judges.verifier import verify
from errata.tools.text.clauses import find_subject
from errata.tools.text.denials import is_denial, is_denying_word, without_denial
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.words import content_stems, fix_article, replace_span

MENDED = 0.8
"""The least probability that a claim is supported whose new words are a guess."""
MENDED_CLAIMS = 50
"""How many claims are mended by guesses, each of which takes some readings."""
_AGREEING: tuple[VerdictLabel, ...] = ("supported", "not_mentioned")

_ROLES = frozenset("by from since to until till before after between".split())
_PLACES = frozenset("in at on near".split())
"""Prepositions that do the same, unlike the others."""
_JOINT = re.compile(r"[,;:] | and | but | while ")


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


def correct(
    question: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
    weights: str = "",
    others: Sequence[Claim] = (),
) -> list[Fix]:
    """Fixes that each replace one thing of a claim: a date, a number, a name, a word.

    Precision comes first: a claim is fixed only if its probability is below one half, nothing
    speaks against the change, all documents agree, and the verifier finds the
    new claim supported, by itself and beside the other new ones. No fix repeats another claim;
    `others` are those of the draft that are not to be fixed.
    """
    run = _Run(question, claims, documents, weights)
    readings = [read_claim(claim.text, question) for claim in claims]
    findings = examine_by(run.model, readings, run.evidence)
    fixes = list[Fix]()
    for claim, reading, finding in zip(claims, readings, findings, strict=True):
        check_time()
        likely = score_finding(finding, run.model) >= SUPPORTED and not finding.differences
        if not likely and (fix := run.mend(claim, reading, finding)):
            fixes.append(fix)
    if run.unread:
        note_undone(f"only {MENDED_CLAIMS} claims were mended word by word, {run.unread} were not")
    return run.keep_agreeing(_drop_repeats(claims, fixes, others))


class _Run:
    """The evidence of one run, by which claims are mended."""

    def __init__(
        self, question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str
    ) -> None:
        self.evidence = read_evidence(question, claims, documents)
        self.model = read_verifier_weights(weights)
        self.unread = 0
        self._question, self._documents, self._weights = question, documents, weights
        self._guessed = 0

    def mend(self, claim: Claim, reading: Reading, finding: Finding) -> Fix | None:
        """The claim's fix by the first proposal that passes; where documents differ none does."""
        tried = set[str]()
        is_open = not (finding.disputes or finding.told)
        for proposals in self._propose(reading, finding) if is_open else ():
            proposal = proposals[0]
            if len(proposals) > 1 or proposal.text in tried:
                continue
            tried.add(proposal.text)
            if _is_fit(reading, proposal, self.evidence) and self._is_supported(claim, proposal):
                return self._fix(claim, reading, proposal)
        return None

    def _propose(self, reading: Reading, finding: Finding) -> Iterator[list[Proposal]]:
        """Proposals in groups, the surest first; guesses only for what is surely refuted."""
        yield from propose_stated(reading, finding)
        if not (finding.differences or is_refuted(finding, self.model)):
            return
        yield from ([p] for p in propose_turned(reading, finding))
        if self._guessed < MENDED_CLAIMS:
            self._guessed += 1
            encoder = load_encoder(self.model)
            yield from ([p] for p in propose_read(reading, self.evidence, encoder))
        else:
            self.unread += 1

    def _is_supported(self, claim: Claim, proposal: Proposal) -> bool:
        """Whether the verifier bears a proposal out, and a guess surely."""
        new = Claim(id=claim.id, text=proposal.text, start=claim.start, end=claim.end)
        [verdict] = verify(self._question, [new], self._documents, self._weights)
        is_sure = not proposal.is_guess or (verdict.score or 0.0) >= MENDED
        return verdict.label == "supported" and is_sure

    def keep_agreeing(self, fixes: Sequence[Fix]) -> list[Fix]:
        """The fixes whose new claims nothing speaks against beside one another."""
        claims = [Claim(id=fix.claim, text=fix.text, start=0, end=0) for fix in fixes]
        verdicts = verify(self._question, claims, self._documents, self._weights)
        pairs = zip(fixes, verdicts, strict=True)
        return [fix for fix, verdict in pairs if verdict.label in _AGREEING]

    def _fix(self, claim: Claim, reading: Reading, proposal: Proposal) -> Fix:
        new = Reading(proposal.text, reading.topic, reading.question_entity)
        strip = best_strips(new, self.evidence, 1)[0]
        return Fix(
            claim=claim.id,
            text=proposal.text,
            evidence=(strip.quote,),
            explanation=f"the draft says {proposal.claimed}; the evidence says {proposal.stated}",
        )


def _drop_repeats(
    claims: Sequence[Claim], fixes: Sequence[Fix], others: Sequence[Claim]
) -> list[Fix]:
    """The fixes after which no two claims say the same that did not before."""
    new = {fix.claim: fix.text for fix in fixes}
    said = [content_stems(new.get(claim.id, claim.text)) for claim in [*claims, *others]]
    return [fix for fix in fixes if said.count(content_stems(fix.text)) == 1]


def _is_fit(claim: Reading, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether a claim may be changed so, whatever the verifier says."""
    new = Reading(proposal.text, claim.topic, claim.question_entity)
    fits = not is_denial(claim.words, claim.bag) and _keeps_role(claim, proposal, evidence)
    if proposal.start >= 0 and not fits:
        return False
    if proposal.is_guess and _bears_out(claim, proposal.claimed, evidence):
        return False
    compared = compare(new, evidence)
    return not (compared.differences or compared.disputes)


def _bears_out(claim: Reading, value: str, evidence: Evidence) -> bool:
    """Whether a clause of the evidence has the claim's own value beside the claim's subject."""
    subject, own = content_stems(find_subject(claim.text)), _find_words(value)
    strips = best_strips(claim, evidence, STRIPS)
    clauses = (clause for strip in strips for clause in _JOINT.split(strip.text))
    return any(own.search(clause) and subject <= content_stems(clause) for clause in clauses)


def _keeps_role(claim: Reading, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether new words stand in the evidence after a preposition such as the claim has."""
    role, words = _role(claim.text[: proposal.start]), _find_words(proposal.stated)
    strips = [strip.text for strip, _ in evidence.best(claim)]
    found = {_role(text[: match.start()]) for text in strips for match in words.finditer(text)}
    return not role or not found or not found.isdisjoint((role, ""))


def _role(before: str) -> str:
    """What a value does in its sentence, by the preposition before it; empty without one."""
    last = "".join(before.lower().split()[-1:]).strip("(,")
    return "in" if last in _PLACES else last if last in _ROLES else ""


def _find_words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words.rstrip('.'))}(?!\w)", re.IGNORECASE)


GAPS = 3
"""How many dates and names of a claim are asked for, each in one reading."""


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
