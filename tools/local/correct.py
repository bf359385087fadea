"""RAC's correct role: one thing of a refuted claim replaced by what the evidence has.

The surest first: a value that the evidence states in place of the claim's, an exchange of two
sides, a denial taken out. A name or date that is left is masked, and the cross-encoder reads from
the evidence what stands there: masker and corrector as of Thorne and Vlachos (2021) and ZeroFEC
(Huang and others, 2023).
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.core.edits import as_written
from errata.core.limits import check_time, note_undone
from errata.core.records import INCONCLUSIVE, Claim, Document, Fix, VerdictLabel
from errata.core.words import Borders
from errata.tools.judges.cross_encoder import GAP, CrossEncoder
from errata.tools.judges.differences import SHARED, compare
from errata.tools.judges.entailment import STRIPS, best_strips, join_strips, name_entity
from errata.tools.judges.evidence import Evidence, Reading, read_claim, read_evidence
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    VerifierWeights,
    examine_by,
    is_refuted,
    load_encoder,
    read_verifier_weights,
    score_finding,
)
from errata.tools.judges.meanings import find_exchange
from errata.tools.judges.pairs import Pair, presupposed
from errata.tools.judges.verifier import verify
from errata.tools.text.citations import strip_marks
from errata.tools.text.clauses import find_subject, is_denial, without_denial
from errata.tools.text.entities import find_entities
from errata.tools.text.words import content_stems, fix_article, replace_span

MENDED = 0.8
"""The least probability that a claim is supported whose new words are a guess."""
MENDED_CLAIMS = 50
"""How many claims are mended by guesses, each of which takes some readings."""
_AGREEING: tuple[VerdictLabel, ...] = ("supported", *INCONCLUSIVE)

_ROLES = frozenset("by from since to until till before after between".split())
_PLACES = frozenset("in at on near".split())
"""Prepositions that do the same, unlike the others."""
_JOINT = re.compile(r"[,;:] | and | but | while ")
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
    new claim supported, by itself and beside the other new ones. No fix says what a claim of
    other words says; `others` are those of the draft that are not to be fixed.
    """
    if not claims:
        return []
    evidence, model = read_evidence(question, claims, documents), read_verifier_weights(weights)
    run = _Run(question, documents, weights, evidence, model)
    readings = [read_claim(claim.text, question) for claim in claims]
    findings = examine_by(model, readings, evidence)
    fixes = list[Fix]()
    for claim, reading, finding in zip(claims, readings, findings, strict=True):
        check_time()
        likely = score_finding(finding, model) >= SUPPORTED and not finding.differences
        is_closed = likely or finding.disputes or finding.told
        if not is_closed and (fix := run.mend(claim, reading, finding)):
            fixes.append(fix)
    if (unread := run.guessed - MENDED_CLAIMS) > 0:
        note_undone(f"only {MENDED_CLAIMS} claims were mended word by word, {unread} were not")
    new = {fix.claim: fix.text for fix in fixes}
    origins = defaultdict[frozenset[str], set[frozenset[str]]](set)
    for claim in (*claims, *others):
        origins[content_stems(new.get(claim.id, claim.text))].add(content_stems(claim.text))
    fixes = [fix for fix in fixes if len(origins[content_stems(fix.text)]) == 1]
    beside = [Claim(id=fix.claim, text=fix.text, start=0, end=0) for fix in fixes]
    pairs = zip(fixes, verify(question, beside, documents, weights), strict=True)
    return [fix for fix, verdict in pairs if verdict.label in _AGREEING]


@dataclass
class _Run:
    """What the claims of one run are mended by."""

    question: str
    documents: Sequence[Document]
    weights: str
    evidence: Evidence
    model: VerifierWeights
    guessed: int = 0
    """How many claims came to guesses, those after MENDED_CLAIMS for nothing."""

    def mend(self, claim: Claim, reading: Reading, finding: Finding) -> Fix | None:
        """The claim's fix by the first proposal that the verifier bears out, a guess surely."""
        tried = set[str]()
        for proposal in self._propose(reading, finding):
            is_new = proposal.text not in tried
            tried.add(proposal.text)
            if not (is_new and _is_fit(reading, proposal, self.evidence)):
                continue
            new = Claim(id=claim.id, text=proposal.text, start=claim.start, end=claim.end)
            [verdict] = verify(self.question, [new], self.documents, self.weights)
            is_sure = not proposal.is_guess or (verdict.score or 0.0) >= MENDED
            if verdict.label == "supported" and is_sure:
                mended = Reading(proposal.text, reading.topic, reading.question_entity)
                strip = best_strips(mended, self.evidence, 1)[0]
                said = f"the draft says {proposal.claimed}; the evidence says {proposal.stated}"
                quotes = (strip.quote,)
                text = as_written(strip_marks(claim.text), proposal.text)
                return Fix(claim=claim.id, text=text, evidence=quotes, explanation=said)
        return None

    def _propose(self, reading: Reading, finding: Finding) -> Iterator[Proposal]:
        """Proposals, the surest first; guesses only for what is surely refuted."""
        yield from propose_stated(reading, finding)
        if finding.differences or is_refuted(finding, self.model):
            yield from propose_turned(reading, finding, self.evidence)
            self.guessed += 1
            if self.guessed <= MENDED_CLAIMS:
                yield from propose_read(reading, self.evidence, load_encoder(self.model))


def _is_fit(claim: Reading, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether a claim may be changed so, whatever the verifier says.

    It may not if it denies, or if new words stand in the evidence after no preposition such as the
    claim has; nor by a guess if a clause of the evidence has the claim's own value beside the
    claim's subject.
    """
    if proposal.start >= 0:
        role, words = _role(claim.text[: proposal.start]), _find_words(proposal.stated)
        texts = [strip.text for strip in evidence.best(claim)]
        found = {_role(text[: match.start()]) for text in texts for match in words.finditer(text)}
        keeps_role = not role or not found or not found.isdisjoint((role, ""))
        if is_denial(claim.words, claim.bag) is not False or not keeps_role:
            return False
    if proposal.is_guess:
        subject, own = content_stems(find_subject(claim.text)), _find_words(proposal.claimed)
        strips = best_strips(claim, evidence, STRIPS)
        clauses = (clause for strip in strips for clause in _JOINT.split(strip.text))
        if any(own.search(clause) and subject <= content_stems(clause) for clause in clauses):
            return False
    compared = compare(Reading(proposal.text, claim.topic, claim.question_entity), evidence)
    return not (compared.differences or compared.disputes)


def _role(before: str) -> str:
    """What a value does in its sentence, by the preposition before it; empty without one."""
    last = "".join(before.lower().split()[-1:]).strip("(,")
    return "in" if last in _PLACES else last if last in _ROLES else ""


def _find_words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words.rstrip('.'))}(?!\w)", re.IGNORECASE)


def propose_stated(claim: Reading, finding: Finding) -> Iterator[Proposal]:
    """The claim with a value that the evidence states in place of its own.

    Where strips state several for one value, the evidence does not agree, and there is none.
    """
    by_value: dict[str, dict[str, Proposal]] = {}
    for difference in finding.differences:
        word = rf"\b{re.escape(difference.claimed)}(?!\w)"
        places = list(re.finditer(word, claim.text, re.IGNORECASE)) if difference.claimed else []
        if difference.replacement and len(places) == 1:
            place, stated = places[0].span(), difference.replacement
            proposal = _replace(claim, *place, stated, is_guess=False)
            by_value.setdefault(difference.claimed, {})[proposal.text] = proposal
    for proposals in by_value.values():
        if len(proposals) == 1:
            yield from proposals.values()


def propose_turned(claim: Reading, finding: Finding, evidence: Evidence) -> Iterator[Proposal]:
    """The claim with its sides exchanged as a strip has them, or without its plain denial.

    The latter only if a strip says it without a denial.
    """
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
    for text in without_denial(claim.text) if is_denial(claim.words, claim.bag) else ():
        turned = Reading(text, claim.topic, claim.question_entity)
        known = presupposed(turned, evidence)
        pairs = [Pair(turned, strip, evidence, known) for strip in evidence.best(turned)]
        said = (pair for pair in pairs if is_denial(pair.clause, turned.bag) is False)
        if any(pair.shared(()) >= SHARED["negation"] for pair in said):
            yield Proposal(text, claim.text, text)


def propose_read(
    claim: Reading, evidence: Evidence, encoder: CrossEncoder | None
) -> Iterator[Proposal]:
    """The claim with what the cross-encoder reads in place of one of its names and dates.

    If that is of the same kind.
    """
    if not (encoder and encoder.can_answer):
        return
    strips = best_strips(claim, evidence, STRIPS)
    stated, text = frozenset[str]().union(*(s.bag for s in strips)), join_strips(strips, evidence)
    # Quantities are left to what can be told exactly; what no strip has comes first.
    gaps = [entity for entity in claim.entities if entity.kind != "number"]
    for gap in sorted(gaps, key=lambda gap: gap.stems <= stated)[:GAPS]:
        masked = claim.text[: gap.start] + GAP + claim.text[gap.end :]
        [read] = encoder.read([(name_entity(masked, claim.question_entity), text)])
        if read.answer and read.answer.odds > 0:
            found = find_entities(text[read.answer.start : read.answer.end])
            answer = next((entity for entity in found if entity.kind == gap.kind), None)
            if answer and not answer.stems <= claim.bag:
                yield _replace(claim, gap.start, gap.end, answer.text)


def _replace(
    claim: Reading, start: int, end: int, stated: str, *, is_guess: bool = True
) -> Proposal:
    """The claim with a stretch replaced; an article before it fits, and its full stop stays."""
    is_last = claim.text.endswith(".") and end == len(claim.text)
    stated = f"{stated}." if is_last and not stated.endswith(".") else stated
    text = fix_article(replace_span(claim.text, start, end, stated), start)
    return Proposal(text, claim.text[start:end], stated, start, is_guess)
