"""The local verifier (RAC's verify role): logistic regression over lexical and neural features."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from errata.core.errors import OutOfTimeError
from errata.core.limits import note_undone, report_progress
from errata.core.records import Claim, Document, Quote, Reason, Verdict, VerdictLabel
from errata.tools.judges.differences import judge_dispute, quotes_of
from errata.tools.judges.entailment import LIKELY
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    collect_evidence,
    read_claim,
    read_evidence,
)
from errata.tools.judges.findings import (
    SUPPORTED,
    Finding,
    VerifierWeights,
    examine_by,
    is_refuted,
    read_verifier_weights,
    refutation,
    score_finding,
)
from errata.tools.judges.other_values import find_relations
from errata.tools.judges.pairs import is_like, presupposed, subject_of
from errata.tools.judges.values import find_values, has_value
from errata.tools.text.denials import is_denial
from errata.tools.text.entities import Entity
from errata.tools.text.language import detect_foreign_draft, detect_sentence
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Strip
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


MENTIONED = 1 / 3
"""The share of a claim's own words above which documents speak of it. Of 110 behaviours that no
document mentions 90 have less, of 323 that are borne out 22."""
COULD_NOT_TELL = "the documents speak of this; the local reader could not tell"

_Label = tuple[VerdictLabel, Strip | None, str]
"""A label, the strip that it rests on, and the explanation."""


def judge_claim(
    claim_id: str, claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> Verdict:
    """The verdict on one claim."""
    probability = score_finding(finding, model)
    label, strip, explanation = _choose_label(claim, evidence, finding, model)
    reason: Reason | None = None
    if label == "not_mentioned":
        reason, said = _reason_of(evidence, finding, model)
        against = finding.entailment.strip if finding.entailment else None
        strip = {"contradicted": against, "absent": None}.get(reason, strip)
        explanation = explanation or said
    quotes: tuple[Quote, ...] = (strip.quote,) if strip else ()
    if finding.disputes and not finding.differences:
        label, explanation = judge_dispute(finding.disputes[0], evidence)
        quotes, reason = quotes_of(finding.disputes[0]), None
        probability = probability if label == "supported" else min(probability, SUPPORTED)
    return Verdict(
        claim=claim_id,
        label=label,
        reason=reason,
        score=round(probability, 4),
        evidence=quotes,
        explanation=explanation,
    )


def _choose_label(
    claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> _Label:
    """Refuted by what differs, or by the cross-encoder; else by how likely it is supported."""
    if finding.differences:
        return "refuted", finding.differences[0].strip, finding.differences[0].explanation
    if finding.told:
        return "supported", finding.told, ""
    against = finding.entailment.strip if finding.entailment else None
    spared = bool(finding.disputes) or not is_refuted(finding, model)
    if against and not spared and _is_spoken_of(finding.claim, evidence):
        return "refuted", against, explain_refutation(claim, against)
    closest = closest_strip(finding.claim, evidence)
    if closest is None or score_finding(finding, model) < max(SUPPORTED, model.sure):
        return "not_mentioned", closest, ""
    if bearing := find_bearing(finding.claim, closest, evidence):
        return "supported", bearing, ""
    return "not_mentioned", closest, "no place in the documents has all of its values and names"


def find_bearing(claim: Reading, closest: Strip, evidence: Evidence) -> Strip | None:
    """The closest strip, or else the best other one, that has all values and names of a claim.

    "It employs 140 people" is borne out by "It has a staff of about 140", not by "It was founded
    in 2018". A name that the question or a document is about need not be in the strip.
    """
    known = presupposed(claim, evidence)
    strips = (closest, *(strip for strip, _ in evidence.best(claim)))
    return next((strip for strip in strips if _has_all(claim, strip, known, evidence)), None)


def _has_all(claim: Reading, strip: Strip, known: frozenset[str], evidence: Evidence) -> bool:
    title = evidence.title_stems(strip.document)
    stated = find_values(strip.text)
    if not all(stem in strip.bag or is_like(stem, strip.bag) for stem in find_relations(claim)):
        return False
    names = (entity for entity in claim.all_entities if entity.kind == "name")
    return all(
        claimed.text in strip.text or has_value(claimed, stated)
        for claimed in find_values(claim.text)
    ) and all(_has_name(name, strip, known | title) for name in names)


def _has_name(name: Entity, strip: Strip, known: frozenset[str]) -> bool:
    """Whether a strip has of a name a word that is not known anyhow."""
    rest = name.stems - known
    return not rest or any(stem in strip.bag or is_like(stem, strip.bag) for stem in rest)


def closest_strip(claim: Reading, evidence: Evidence) -> Strip | None:
    """The strip with most of what the claim says of its subject; None where none has any of it."""
    weights = _weigh_stems(claim, evidence)
    shares = {strip: _share_of(weights, strip.bag) for strip, _ in evidence.best(claim)}
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best and shares[best] else None


def _weigh_stems(claim: Reading, evidence: Evidence) -> dict[str, float]:
    """How much each word counts that a claim says of its subject: the rarer, the more.

    A word of a number or name counts twice; the subject's own name does not.
    """
    first = subject_of(claim.text)
    names = (e.stems for e in claim.all_entities if e.kind == "name" and e.stems <= first)
    subject = presupposed(claim, evidence).union(*names, first if len(first) == 1 else ())
    named = frozenset[str]().union(*(entity.stems for entity in claim.entities))
    own = (stem for stem in claim.own_stems if stem not in subject)
    return {stem: evidence.idf(stem) * (2 if stem in named else 1) for stem in own}


def _share_of(weights: Mapping[str, float], bag: frozenset[str]) -> float:
    """The share of weighted words that some stems have, themselves or by a synonym."""
    have = sum(weight for stem, weight in weights.items() if stem in bag or is_like(stem, bag))
    return have / (sum(weights.values()) or 1)


def _reason_of(
    evidence: Evidence, finding: Finding, weights: VerifierWeights
) -> tuple[Reason, str]:
    """Why a claim without a sure verdict has none: spoken against, unspoken of, not understood."""
    if score_finding(finding, weights) >= SUPPORTED:
        return "not_understood", COULD_NOT_TELL
    if not _is_spoken_of(finding.claim, evidence):
        return "absent", "the documents do not say this"
    if refutation(finding) > LIKELY:
        return "contradicted", "the documents seem to say otherwise, but not surely"
    return "not_understood", COULD_NOT_TELL


def _is_spoken_of(claim: Reading, evidence: Evidence) -> bool:
    """Whether the strips that match a claim best have enough of what it says of its subject.

    Dates and numbers aside: a document that speaks of the claim may have others.
    """
    values = {s for e in claim.entities if e.kind != "name" for s in e.stems}
    weights = _weigh_stems(claim, evidence)
    others = {stem: weight for stem, weight in weights.items() if stem not in values} or weights
    best = (strip.bag for strip, _ in evidence.best(claim))
    return _share_of(others, frozenset[str]().union(*best)) > MENTIONED


def explain_refutation(claim: Reading, strip: Strip) -> str:
    """In what a claim differs from the strip that refutes it: a date, a number, a negation.

    >>> from errata.core.records import Document
    >>> from errata.tools.text.sentences import split_strips
    >>> [strip] = split_strips(Document(text="The bridge opened in 1932."))
    >>> explain_refutation(Reading("The bridge opened in 1935."), strip)
    'the claim says 1935; the evidence says 1932'
    """
    ours, theirs = find_values(claim.text), find_values(strip.text)
    for kind in ("date", "quantity"):
        wrong = [v for v in ours if v.kind == kind and not has_value(v, theirs)]
        stated = [v for v in theirs if v.kind == kind and not has_value(v, ours)]
        if wrong and len(stated) == 1:
            return f"the claim says {wrong[0].text}; the evidence says {stated[0].text}"
    denied, denies = is_denial(strip.words, claim.bag), is_denial(claim.words, strip.bag)
    if denied and not denies:
        return "the evidence denies what the claim says"
    if denies and not denied:
        return "the evidence says what the claim denies"
    return "the evidence says otherwise"
