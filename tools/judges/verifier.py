"""The local verifier (RAC's verify role): each claim's label, the quote that shows it, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat, takewhile

from errata.core.errors import OutOfTimeError, count
from errata.core.limits import current_run, note_undone, report_progress
from errata.core.records import Claim, Document, Quote, Verdict, VerdictLabel
from errata.tools.judges.differences import judge_dispute
from errata.tools.judges.entailment import EXCERPT, LIKELY, excerpt_for, most_entailing
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    collect_evidence,
    read_claim,
    read_evidence,
)
from errata.tools.judges.findings import (
    IN_SPITE,
    SUPPORTED,
    ClaimFinding,
    VerifierWeights,
    examine_by,
    is_refuted,
    load_encoder,
    read_verifier_weights,
)
from errata.tools.judges.pairs import closest_strip, has_like, is_spoken_of, presupposed
from errata.tools.judges.unfounded import find_unfounded, stand_nowhere
from errata.tools.judges.values import counts_other, find_values, is_stated
from errata.tools.text.language import detect_foreign_draft, detect_sentence
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Strip
from errata.tools.text.words import content_stems

CLAIMS_AT_ONCE = 64
"""How many claims are judged together; where the time runs out, those before them are judged."""
OTHER_LANGUAGE = "local code reads English; this claim looks like"
"""Why a claim in another language is not judged, before that language's code."""
FOREIGN_EVIDENCE = "local code reads English; the documents look like"
"""Why no claim is judged by documents in another language, before that language's code."""
NO_DOCUMENT = "there is no document to judge by"
"""Why a claim is not judged where there is nothing to read."""
COULD_NOT_TELL = "the documents speak of this; the local reader could not tell"
MOST_WORDS, READ = 0.6, 12
"""The share of a claim's words by which a strip shows it, and how many others are read."""
LACKING = "the documents lack some of its values or names, or the local reader was not sure"


def verify(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Verdict]:
    """A verdict on each claim; `weights` is empty (shipped), or a file from training.

    `score` is the probability in [0, 1] that the claim is supported, assuming a balanced prior. A
    claim is refuted if the reader is sure of it, or leans that way and a strip has another number
    or date. Else it is supported if its score is at least the weights' `sure` and a strip has all
    of its values and names, disputed if the documents seem to say otherwise, else not mentioned.
    Where one document has a claim's number or date and another a different one, it is conflicting,
    or supported with both quotes if the first is newer. Claims after the bounds' `max_judged`, or
    that no time is left for, are unchecked, and so are all where there is nothing to read.
    """
    most, verdicts = current_run().max_judged, list[Verdict]()
    claims, over = claims[:most], claims[most:] if most else ()
    try:
        evidence = read_evidence(question, claims, documents)
        foreign = list(takewhile(bool, (detect_foreign_draft(d.text) for d in documents)))
        unread = "" if evidence.strips else NO_DOCUMENT
        if foreign and len(foreign) == len(documents):
            unread = f"{FOREIGN_EVIDENCE} {foreign[-1]!r}"
        for first in range(0, len(claims), CLAIMS_AT_ONCE):
            part, model = claims[first : first + CLAIMS_AT_ONCE], read_verifier_weights(weights)
            judged = zip(part, _judge_claims(question, part, evidence, model, unread), strict=True)
            verdicts += [_say_unfounded(question, *each, documents) for each in judged]
            report_progress(len(verdicts), len(claims))
    except OutOfTimeError as error:
        rest = claims[len(verdicts) :]
        note_undone(f"{len(rest)} claims were not checked: {error}")
        verdicts += [Verdict(claim=c.id, label="unchecked", explanation=str(error)) for c in rest]
    why = f"over max_judged={most}"
    if over:
        note_undone(f"{count(over, 'claim', 'was')} not checked: {why}")
    return verdicts + [Verdict(claim=c.id, label="unchecked", explanation=why) for c in over]


def attach_quotes(
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    named: Mapping[str, Sequence[Document]] | None = None,
) -> list[Verdict]:
    """A model's verdicts; one without evidence of its own has the strip that shows it best.

    Where documents are `named`, by its claim's id, it has one of theirs in any case.
    """
    bare = {v.claim for v in verdicts if v.label in ("supported", "refuted") and not v.evidence}
    quotes = dict[str, Quote | None]()
    for claim in (claim for claim in claims if claim.id in bare):
        own = (named or {}).get(claim.id)
        evidence = collect_evidence(frozenset(), own or documents)
        strip = _show(Reading(claim.text), evidence, evidence.strips if own else ())
        quotes[claim.id] = strip.quote if strip else None
    return [
        replace(verdict, evidence=(quote,)) if (quote := quotes.get(verdict.claim)) else verdict
        for verdict in verdicts
    ]


def _show(claim: Reading, evidence: Evidence, others: Sequence[Strip]) -> Strip | None:
    """The strip with most of a claim's words; where none has many, the one that the reader chooses.

    It reads the strips that share a word with the claim, and the `others`.
    """
    if strip := closest_strip(claim, evidence, MOST_WORDS):
        return strip
    strips = [*dict.fromkeys((*evidence.best(claim), *others))][:READ]
    if len(strips) > 1:
        return most_entailing(claim, strips, evidence, load_encoder(read_verifier_weights()))
    return next(iter(strips), None)


def quote_texts(texts: Iterable[str], documents: Sequence[Document]) -> list[Quote | None]:
    """For each text the strip that is closest to it; None where none shares a word with it."""
    evidence = collect_evidence(frozenset(), documents)
    strips = (closest_strip(Reading(text), evidence) for text in texts)
    return [strip.quote if strip else None for strip in strips]


def are_spoken_of(question: str, texts: Iterable[str], documents: Sequence[Document]) -> list[bool]:
    """For each text whether the documents have any of its words, those of the question aside."""
    topic = topic_stems(question)
    evidence = collect_evidence(topic, documents)
    return [bool((content_stems(text) - topic) & evidence.bag) for text in texts]


def _judge_claims(
    question: str, claims: Sequence[Claim], evidence: Evidence, model: VerifierWeights, unread: str
) -> list[Verdict]:
    """A verdict on each claim; unchecked where `unread`, its language or its words say why."""
    reasons = {claim.id: unread or _why_unread(claim.text) for claim in claims}
    known = [claim for claim in claims if not reasons[claim.id]]
    readings = [read_claim(claim.text, question) for claim in known]
    findings = examine_by(model, readings, evidence)
    judged = map(judge_claim, known, findings, repeat(evidence), repeat(model))
    return [
        Verdict(claim=claim.id, label="unchecked", explanation=reason) if reason else next(judged)
        for claim, reason in zip(claims, reasons.values(), strict=True)
    ]


def _say_unfounded(
    question: str, claim: Claim, verdict: Verdict, documents: Sequence[Document]
) -> Verdict:
    """The verdict; where the claim is not mentioned, it names what stands in no document."""
    if verdict.label != "not_mentioned":
        return verdict
    words = find_unfounded(read_claim(claim.text, question), documents)
    said = f"{verdict.explanation}: {stand_nowhere(words)}" if words else verdict.explanation
    return replace(verdict, unfounded=words, explanation=said)


def _why_unread(claim: str) -> str:
    """Why a claim cannot be judged; empty if it can."""
    if language := detect_sentence(claim):
        return f"{OTHER_LANGUAGE} {language!r}"
    return "" if content_stems(claim) else "the claim says nothing that could be looked up"


def judge_claim(
    claim: Claim, finding: ClaimFinding, evidence: Evidence, model: VerifierWeights
) -> Verdict:
    """The verdict on one claim: by documents that disagree, by the reader, else by the score."""
    probability, sure = model.probability(finding.features), max(SUPPORTED, model.sure)
    probability = max(probability, sure) if finding.told else probability
    if finding.dispute:
        label, said, quotes = judge_dispute(finding.dispute, evidence)
        verdict = Verdict(claim=claim.id, label=label, explanation=said, evidence=quotes)
    elif is_refuted(finding, evidence, model):
        verdict = _against(claim, finding, "refuted")
    elif finding.told:
        verdict = Verdict(claim=claim.id, label="supported", evidence=(finding.told.quote,))
    elif probability >= sure and (strip := find_support(finding.claim, evidence)):
        verdict = Verdict(claim=claim.id, label="supported", evidence=(strip.quote,))
    else:
        verdict = _leave_open(claim, finding, evidence, probability)
    most = {"refuted": IN_SPITE, "supported": 1.0, "not_mentioned": 1.0}
    return replace(verdict, score=round(min(probability, most.get(verdict.label, SUPPORTED)), 4))


def _leave_open(
    claim: Claim, finding: ClaimFinding, evidence: Evidence, probability: float
) -> Verdict:
    """The verdict on a claim that is neither surely refuted nor supported, and why."""
    verdict = Verdict(claim=claim.id, label="not_mentioned", reason="not_understood")
    is_unlikely = probability < SUPPORTED
    if is_unlikely and not is_spoken_of(finding.claim, evidence):
        said = "local code found nothing in the documents that says this"
        return replace(verdict, reason="absent", explanation=said)
    if finding.differences or (is_unlikely and finding.entailment.refuted > LIKELY):
        return _against(claim, finding, "disputed")
    said = COULD_NOT_TELL if is_unlikely else LACKING
    strip = closest_strip(finding.claim, evidence)
    return replace(verdict, evidence=(strip.quote,) if strip else (), explanation=said)


def _against(claim: Claim, finding: ClaimFinding, label: VerdictLabel) -> Verdict:
    """The verdict on a claim that is false, or may be: what differs, and from which strip."""
    strip, said = finding.entailment.strip, "the evidence says otherwise"
    if finding.differences:
        strip, said = finding.differences[0].strip, finding.differences[0].explanation
    elif finding.wrong:
        said = f"{said} than “{finding.wrong}”"
    if label == "disputed":
        said = f"the documents seem to say otherwise, but not surely: {said}"
    quotes = (strip.quote,) if strip else ()
    return Verdict(claim=claim.id, label=label, evidence=quotes, explanation=said)


def find_support(claim: Reading, evidence: Evidence) -> Strip | None:
    """The closest strip that has every number and date of a claim, if its names are near, too.

    One that the question or a document is about need not be there.
    """
    closest, strips = closest_strip(claim, evidence), excerpt_for(claim, evidence, EXCERPT)
    near = (closest, *strips) if closest else strips
    found = next((strip for strip in near if _has_values(claim, strip)), None)
    titles = (content_stems(evidence.titles.get(strip.document, "")) for strip in strips)
    known = presupposed(claim, evidence).union(*titles)
    bag = frozenset[str]().union(*(strip.bag for strip in strips))
    names = (e.stems - known for e in claim.all_entities if e.kind == "name")
    return found if all(_is_named(name, bag) for name in names if name) else None


def _has_values(claim: Reading, strip: Strip) -> bool:
    values, text = find_values(claim.text), strip.text
    return all(is_stated(value, text) and not counts_other(value, claim, text) for value in values)


def _is_named(name: frozenset[str], bag: frozenset[str]) -> bool:
    """Whether a bag has a word of a name, and its numbers: LH 454 is not LH 445."""
    numbers = {stem for stem in name if stem[0].isdigit()}
    return numbers <= bag and any(has_like(stem, bag) for stem in name)
