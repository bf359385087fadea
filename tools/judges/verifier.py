"""The local verifier (RAC's verify role): each claim's label, the quote that shows it, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat, takewhile

from errata.core.errors import OutOfTimeError, count
from errata.core.limits import current_bounds, note_undone, report_progress
from errata.core.records import Claim, Document, Quote, Reason, Verdict, VerdictLabel
from errata.tools.judges.differences import judge_dispute
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
from errata.tools.judges.values import find_values, has_value, is_stated
from errata.tools.text.clauses import is_denial
from errata.tools.text.language import detect_foreign_draft, detect_sentence
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Strip
from errata.tools.text.words import content_stems, split_words

CLAIMS_AT_ONCE = 64
"""How many claims are judged together; where the time runs out, those before them are judged."""
OTHER_LANGUAGE = "the local fillers know English; this claim looks like"
"""Why a claim in another language is not judged, before that language's code."""
FOREIGN_EVIDENCE = "the local fillers know English; the documents look like"
"""Why no claim is judged by documents in another language, before that language's code."""

NO_DOCUMENT = "there is no document to judge by"
"""Why a claim is not judged where there is nothing to read."""
MENTIONED = 1 / 3
"""The share of a claim's own words above which documents speak of it. Of 110 behaviours that no
document mentions 90 have less, of 323 that are borne out 22."""
COULD_NOT_TELL = "the documents speak of this; the local reader could not tell"


def verify(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Verdict]:
    """A verdict on each claim; `weights` is empty (shipped), `lexical`, or a file from training.

    `score` is the probability in [0, 1] that the claim is supported, assuming a balanced prior. A
    claim is refuted if a strip says otherwise in a way that can be told exactly, or if the
    cross-encoder is sure of it. Else it is supported if its score is at least the weights' `sure`
    and a strip has all of its values and names, and otherwise not mentioned. Where one document
    bears a claim out and another says otherwise, it is conflicting, or supported with both quotes
    if the first is newer. Claims after the bounds' `max_judged`, or that no time is left for, are
    unchecked, and so are all where there is nothing to read.
    """
    most, verdicts = current_bounds().max_judged, list[Verdict]()
    claims, over = claims[:most], claims[most:] if most else ()
    try:
        evidence = read_evidence(question, claims, documents)
        foreign = list(takewhile(bool, (detect_foreign_draft(d.text) for d in documents)))
        unread = "" if evidence.strips else NO_DOCUMENT
        if foreign and len(foreign) == len(documents):
            unread = f"{FOREIGN_EVIDENCE} {foreign[-1]!r}"
        for first in range(0, len(claims), CLAIMS_AT_ONCE):
            part, model = claims[first : first + CLAIMS_AT_ONCE], read_verifier_weights(weights)
            verdicts += _judge_claims(question, part, evidence, model, unread)
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
    """A model's verdicts; one without evidence of its own has the closest strip.

    Where documents are `named`, by its claim's id, it has one of theirs, be it the first.
    """
    bare = {v.claim for v in verdicts if v.label in ("supported", "refuted") and not v.evidence}
    quotes = dict[str, Quote | None]()
    for claim in (claim for claim in claims if claim.id in bare):
        own = (named or {}).get(claim.id)
        evidence = collect_evidence(frozenset(), own or documents)
        others = evidence.strips[:1] if own else ()
        strip = closest_strip(Reading(claim.text), evidence) or next(iter(others), None)
        quotes[claim.id] = strip.quote if strip else None
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
    question: str, claims: Sequence[Claim], evidence: Evidence, model: VerifierWeights, unread: str
) -> list[Verdict]:
    """A verdict on each claim; those in another language or without content are unchecked.

    So are all if `unread` says why.
    """
    reasons = {claim.id: unread or _why_unread(claim.text) for claim in claims}
    known = [claim for claim in claims if not reasons[claim.id]]
    readings = [read_claim(claim.text, question) for claim in known]
    findings = examine_by(model, readings, evidence)
    judged = map(judge_claim, known, readings, repeat(evidence), findings, repeat(model))
    return [
        Verdict(claim=claim.id, label="unchecked", explanation=reason) if reason else next(judged)
        for claim, reason in zip(claims, reasons.values(), strict=True)
    ]


def _why_unread(claim: str) -> str:
    """Why a claim cannot be judged; empty if it can."""
    if language := detect_sentence(claim):
        return f"{OTHER_LANGUAGE} {language!r}"
    has_content = any(word.is_content for word in split_words(claim))
    return "" if has_content else "the claim says nothing that could be looked up"


def judge_claim(
    of: Claim, claim: Reading, evidence: Evidence, finding: Finding, model: VerifierWeights
) -> Verdict:
    """The verdict on one claim: by what differs, or by the cross-encoder; else by its score."""
    probability = score_finding(finding, model)
    against = finding.entailment.strip if finding.entailment else None
    label: VerdictLabel = "refuted"
    reason: Reason | None = None
    strip, explanation, quotes = finding.told, "", None
    if finding.differences:
        strip, explanation = finding.differences[0].strip, finding.differences[0].explanation
    elif finding.disputes:
        label, explanation, quotes = judge_dispute(finding.disputes[0], evidence)
        probability = probability if label == "supported" else min(probability, SUPPORTED)
    elif finding.told:
        label = "supported"
    elif against and is_refuted(finding, model) and _is_spoken_of(finding.claim, evidence):
        strip, explanation = against, explain_refutation(claim, against)
    else:
        label, strip, reason, explanation = _judge_by_score(finding, evidence, probability, model)
    return Verdict(
        claim=of.id,
        label=label,
        reason=reason,
        score=round(probability, 4),
        evidence=quotes or ((strip.quote,) if strip else ()),
        explanation=explanation,
    )


def _judge_by_score(
    finding: Finding, evidence: Evidence, probability: float, model: VerifierWeights
) -> tuple[VerdictLabel, Strip | None, Reason | None, str]:
    """A label, the strip it rests on, why a claim without a sure verdict has none, and in words."""
    closest = closest_strip(finding.claim, evidence)
    if closest and probability >= max(SUPPORTED, model.sure):
        if bearing := find_bearing(finding.claim, closest, evidence):
            return "supported", bearing, None, ""
        unborne = "no place in the documents has all of its values and names"
        return "not_mentioned", closest, "not_understood", unborne
    if probability < SUPPORTED and not _is_spoken_of(finding.claim, evidence):
        return "not_mentioned", None, "absent", "the documents do not say this"
    if probability < SUPPORTED and refutation(finding) > LIKELY and finding.entailment:
        said = "the documents seem to say otherwise, but not surely"
        return "disputed", finding.entailment.strip, None, said
    return "not_mentioned", closest, "not_understood", COULD_NOT_TELL


def find_bearing(claim: Reading, closest: Strip, evidence: Evidence) -> Strip | None:
    """The closest strip, or else the best other one, that has all values and names of a claim.

    "It employs 140 people" is borne out by "It has a staff of about 140", not by "It was founded
    in 2018". A name that the question or a document is about need not be in the strip.
    """
    known, relations = presupposed(claim, evidence), find_relations(claim)
    names = [entity.stems for entity in claim.all_entities if entity.kind == "name"]
    for strip in (closest, *evidence.best(claim)):
        known_here = known | evidence.title_stems(strip.document)
        rests = [rest for name in names if (rest := name - known_here)]
        if (
            all(stem in strip.bag or is_like(stem, strip.bag) for stem in relations)
            and all(is_stated(value, strip.text) for value in find_values(claim.text))
            and all(_is_named(rest, strip.bag) for rest in rests)
        ):
            return strip
    return None


def _is_named(name: frozenset[str], bag: frozenset[str]) -> bool:
    """Whether a bag has a word of a name, and its numbers: LH 454 is not LH 445."""
    numbers = {stem for stem in name if stem[0].isdigit()}
    return numbers <= bag and any(stem in bag or is_like(stem, bag) for stem in name)


def closest_strip(claim: Reading, evidence: Evidence) -> Strip | None:
    """The strip with most of what the claim says of its subject; None where none has any of it."""
    weights = _weigh_stems(claim, evidence)
    shares = {strip: _share_of(weights, strip.bag) for strip in evidence.best(claim)}
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


def _is_spoken_of(claim: Reading, evidence: Evidence) -> bool:
    """Whether the strips that match a claim best have enough of what it says of its subject.

    Dates and numbers aside: a document that speaks of the claim may have others.
    """
    values = {s for e in claim.entities if e.kind != "name" for s in e.stems}
    weights = _weigh_stems(claim, evidence)
    others = {stem: weight for stem, weight in weights.items() if stem not in values} or weights
    best = (strip.bag for strip in evidence.best(claim))
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
    if denied and denies is False:
        return "the evidence denies what the claim says"
    if denies and denied is False:
        return "the evidence says what the claim denies"
    return "the evidence says otherwise"
