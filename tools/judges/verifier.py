"""The local verifier (RAC's verify role): logistic regression over lexical and neural features."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from errata.bounds import note_undone
from errata.errors import OutOfTimeError
from errata.progress import report_progress
from errata.records import Claim, Document, Quote, Reason, Verdict, VerdictLabel
from errata.tools.judges.bearing import find_bearing
from errata.tools.judges.disputes import judge_dispute, quotes_of
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    collect_evidence,
    read_claim,
    read_evidence,
)
from errata.tools.judges.features import is_negated
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    VerifierWeights,
    examine_by,
    is_refuted,
    read_verifier_weights,
    score_finding,
)
from errata.tools.judges.reasons import reason_of, share_of, weigh_stems
from errata.tools.text.entities import agree
from errata.tools.text.language import detect_document, detect_sentence
from errata.tools.text.questions import topic_stems
from errata.tools.text.strips import Strip
from errata.tools.text.words import content_stems, split_words

CLAIMS_AT_ONCE = 256
"""How many claims are judged together; where the time runs out, those before them are judged."""
OTHER_LANGUAGE = "the local fillers know English; this claim looks like"
"""Why a claim in another language is not judged, before that language's code."""
FOREIGN_EVIDENCE = "the local fillers know English; the documents look like"
"""Why no claim is judged by documents in another language, before that language's code."""
NO_DOCUMENT = "there is no document to judge by"
"""Why a claim is not judged where there is nothing to read."""


def verify(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Verdict]:
    """A verdict on each claim; `weights` is empty (shipped), `lexical`, or a file from training.

    `score` is the probability in [0, 1] that the claim is supported, assuming a balanced prior. A
    claim is refuted if a strip says otherwise in a way that can be told exactly, if the
    cross-encoder is sure of it, or if its score is below one half and the evidence states another
    entity in place of one of the claim's. Else it is supported if its score is at least the
    weights' `sure`, and otherwise not mentioned. Where one document bears a claim out and another
    says otherwise, it is conflicting, or supported with both quotes if the first is newer. Claims
    that no time is left for are unchecked, and so are all where there is nothing to read.
    """
    verdicts = list[Verdict]()
    try:
        evidence = read_evidence(question, claims, documents)
        foreign = _find_foreign(documents)
        for first in range(0, len(claims), CLAIMS_AT_ONCE):
            part = claims[first : first + CLAIMS_AT_ONCE]
            verdicts += _judge_claims(
                question, part, evidence, read_verifier_weights(weights), foreign
            )
            report_progress(len(verdicts), len(claims))
    except OutOfTimeError as error:
        rest = claims[len(verdicts) :]
        note_undone(f"{len(rest)} claims were not checked: {error}")
        verdicts += [Verdict(claim=c.id, label="unchecked", explanation=str(error)) for c in rest]
    return verdicts


def attach_quotes(
    claims: Sequence[Claim], verdicts: Sequence[Verdict], documents: Sequence[Document]
) -> list[Verdict]:
    """A model's verdicts; one without evidence of its own has the closest strip."""
    bare = {v.claim for v in verdicts if v.label in ("supported", "refuted") and not v.evidence}
    texts = {claim.id: claim.text for claim in claims if claim.id in bare}
    quotes = dict(zip(texts, quote_texts(texts.values(), documents), strict=True))
    return [
        replace(verdict, evidence=(quote,)) if (quote := quotes.get(verdict.claim)) else verdict
        for verdict in verdicts
    ]


def quote_texts(texts: Iterable[str], documents: Sequence[Document]) -> list[Quote | None]:
    """For each text the strip that is closest to it; None where none shares a word with it."""
    evidence = collect_evidence(frozenset(), documents)
    strips = (_closest_strip(Reading(text), evidence) for text in texts)
    return [strip.quote if strip else None for strip in strips]


def are_spoken_of(question: str, texts: Iterable[str], documents: Sequence[Document]) -> list[bool]:
    """For each text whether the documents have any of its words, those of the question aside."""
    topic = topic_stems(question)
    evidence = collect_evidence(topic, documents)
    return [bool((content_stems(text) - topic) & evidence.bag) for text in texts]


def _judge_claims(
    question: str,
    claims: Sequence[Claim],
    evidence: Evidence,
    model: VerifierWeights,
    foreign: str = "",
) -> list[Verdict]:
    """A verdict on each claim; those in another language or without content are unchecked.

    So are all where no document is in English, by the reason `foreign`.
    """
    unread = {c.id: reason for c in claims if (reason := foreign or _why_unread(c.text))}
    known = [claim for claim in claims if claim.id not in unread]
    readings = [read_claim(claim.text, question) for claim in known]
    findings = examine_by(model, readings, evidence)
    judged = (
        _judge(claim.id, reading, evidence, finding, model)
        for claim, reading, finding in zip(known, readings, findings, strict=True)
    )
    return [
        Verdict(claim=claim.id, label="unchecked", explanation=unread[claim.id])
        if claim.id in unread
        else next(judged)
        for claim in claims
    ]


def _find_foreign(documents: Sequence[Document]) -> str:
    """Why nothing can be judged by documents of which none is in English; empty if one is."""
    language = ""
    for document in documents:
        language = detect_document(document.text)
        if not language:
            return ""
    return f"{FOREIGN_EVIDENCE} {language!r}" if language else ""


def _why_unread(claim: str) -> str:
    """Why a claim cannot be judged; empty if it can."""
    if language := detect_sentence(claim):
        return f"{OTHER_LANGUAGE} {language!r}"
    has_content = any(word.is_content for word in split_words(claim))
    return "" if has_content else "the claim says nothing that could be looked up"


def _judge(
    claim_id: str, claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> Verdict:
    """The verdict on one claim."""
    if not evidence.strips:
        return Verdict(claim=claim_id, label="unchecked", explanation=NO_DOCUMENT)
    probability = score_finding(finding, model)
    label, strip, explanation = _choose_label(claim, evidence, finding, model)
    reason: Reason | None = None
    if label == "not_mentioned":
        reason, said = reason_of(finding.claim, evidence, finding, model)
        against = finding.entailment.strip if finding.entailment else None
        strip = {"contradicted": against, "absent": None}.get(reason, strip)
        explanation = explanation or said
    quotes: tuple[Quote, ...] = (strip.quote,) if strip else ()
    if finding.disputes and not finding.differences:
        label, explanation = judge_dispute(finding.disputes[0], evidence)
        quotes = quotes_of(finding.disputes[0])
        probability = probability if label == "supported" else min(probability, SUPPORTED)
    return Verdict(
        claim=claim_id,
        label=label,
        reason=reason if label == "not_mentioned" else None,
        score=round(probability, 4),
        evidence=quotes,
        explanation=explanation,
    )


def _choose_label(
    claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> tuple[VerdictLabel, Strip | None, str]:
    """The label, the strip that it rests on, and the explanation."""
    if finding.differences:
        return "refuted", finding.differences[0].strip, finding.differences[0].explanation
    if finding.denied:
        return "supported", finding.denied, ""
    return _refute(claim, finding, model) or _weigh(evidence, finding, model)


def _refute(
    claim: Reading, finding: Finding, model: VerifierWeights
) -> tuple[VerdictLabel, Strip, str] | None:
    """The refutation of a claim by the cross-encoder."""
    if finding.disputes:
        return None
    against = finding.entailment.strip if finding.entailment else None
    if against and is_refuted(finding, model):
        return "refuted", against, explain_refutation(claim, against)
    return None


def _weigh(
    evidence: Evidence, finding: Finding, model: VerifierWeights
) -> tuple[VerdictLabel, Strip | None, str]:
    """Supported if that is likely enough and a quote has its values, else not mentioned."""
    probability, sure = score_finding(finding, model), model.sure
    closest = _closest_strip(finding.claim, evidence)
    if probability >= max(SUPPORTED, sure) and closest:
        bearing = find_bearing(finding.claim, closest, evidence)
        if bearing:
            return "supported", bearing, ""
        return "not_mentioned", closest, "no place in the documents has all of its values and names"
    return "not_mentioned", closest, ""


def _closest_strip(claim: Reading, evidence: Evidence) -> Strip | None:
    """The strip with most of what the claim says of its subject; None where none has any of it.

    A rare word counts more than a common one, and twice in a number or name.
    """
    weights = weigh_stems(claim, evidence)
    shares = {strip: share_of(weights, strip.bag) for strip, _ in evidence.best(claim)}
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best and shares[best] else None


def explain_refutation(claim: Reading, strip: Strip) -> str:
    """In what a claim differs from the strip that refutes it: a date, a number, a negation.

    >>> from errata.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> [strip] = split_strips(Document(text="The bridge opened in 1932."))
    >>> explain_refutation(Reading("The bridge opened in 1935."), strip)
    'the claim says 1935; the evidence says 1932'
    """
    for kind in ("date", "year", "number"):
        ours = [e for e in claim.all_entities if e.kind == kind]
        theirs = [e for e in strip.entities if e.kind == kind]
        wrong = [e for e in ours if not any(agree(e, other) for other in theirs)]
        stated = [e for e in theirs if not any(agree(e, other) for other in ours)]
        if wrong and len(stated) == 1:
            return f"the claim says {wrong[0].text}; the evidence says {stated[0].text}"
    if is_negated(strip.stems) and not is_negated(claim.stems):
        return "the evidence denies what the claim says"
    if is_negated(claim.stems) and not is_negated(strip.stems):
        return "the evidence says what the claim denies"
    return "the evidence says otherwise"
