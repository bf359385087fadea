"""The local verifier (RAC's verify role): logistic regression over lexical and neural features."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from errata.core.errors import OutOfTimeError
from errata.core.limits import note_undone, report_progress
from errata.core.records import Claim, Document, Quote, Verdict
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    collect_evidence,
    read_claim,
    read_evidence,
)
from errata.tools.judges.findings import VerifierWeights, examine_by, read_verifier_weights
from errata.tools.judges.labels import closest_strip, judge_claim
from errata.tools.text.language import detect_foreign_draft, detect_sentence
from errata.tools.text.questions import topic_stems
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
    claim is refuted if a strip says otherwise in a way that can be told exactly, or if the
    cross-encoder is sure of it. Else it is supported if its score is at least the weights' `sure`
    and a strip has all of its values and names, and otherwise not mentioned. Where one document
    bears a claim out and another says otherwise, it is conflicting, or supported with both quotes
    if the first is newer. Claims that no time is left for are unchecked, and so are all where there
    is nothing to read.
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
    strips = (closest_strip(Reading(text), evidence) for text in texts)
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
    none = foreign or ("" if evidence.strips else NO_DOCUMENT)
    unread = {c.id: reason for c in claims if (reason := none or _why_unread(c.text))}
    known = [claim for claim in claims if claim.id not in unread]
    readings = [read_claim(claim.text, question) for claim in known]
    findings = examine_by(model, readings, evidence)
    judged = (
        judge_claim(claim.id, reading, evidence, finding, model)
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
        language = detect_foreign_draft(document.text)
        if not language:
            return ""
    return f"{FOREIGN_EVIDENCE} {language!r}" if language else ""


def _why_unread(claim: str) -> str:
    """Why a claim cannot be judged; empty if it can."""
    if language := detect_sentence(claim):
        return f"{OTHER_LANGUAGE} {language!r}"
    has_content = any(word.is_content for word in split_words(claim))
    return "" if has_content else "the claim says nothing that could be looked up"
