"""RAC's correct role: one thing of a refuted claim replaced by what the evidence has."""

import re
from collections.abc import Iterator, Sequence

from errata.core.limits import check_time, note_undone
from errata.core.records import Claim, Document, Fix, VerdictLabel
from errata.tools.judges.differences import compare
from errata.tools.judges.entailment import STRIPS, best_strips
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
from errata.tools.judges.verifier import verify
from errata.tools.local.proposals import Proposal, propose_read, propose_stated, propose_turned
from errata.tools.text.clauses import find_subject
from errata.tools.text.denials import is_denial
from errata.tools.text.words import content_stems

MENDED = 0.8
"""The least probability that a claim is supported whose new words are a guess."""
MENDED_CLAIMS = 50
"""How many claims are mended by guesses, each of which takes some readings."""
_AGREEING: tuple[VerdictLabel, ...] = ("supported", "not_mentioned")

_ROLES = frozenset("by from since to until till before after between".split())
_PLACES = frozenset("in at on near".split())
"""Prepositions that do the same, unlike the others."""
_JOINT = re.compile(r"[,;:] | and | but | while ")


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
