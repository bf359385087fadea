"""The local filler of RAC's verify role: lexical features and a small cross-encoder, stacked."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from errata.records import Claim, Document, Verdict, VerdictLabel
from errata.tools.judges.contradictions import find_contradictions, missing_entities
from errata.tools.judges.entailment import question_entity
from errata.tools.judges.features import Evidence, Reading
from errata.tools.judges.logistic import SUPPORTED, Weights, read_weights, support_probabilities
from errata.tools.text.entities import find_entities
from errata.tools.text.strips import Strip, split_strips
from errata.tools.text.words import split_words

NO_EVIDENCE = 0.0
"""The score where there is nothing to judge by: nothing supports no claim."""


def verify(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Verdict]:
    """Judge every claim against the documents, with the shipped weights or others.

    `weights` is `lexical`, for those that need no neural network, or a file. `score` is the
    probability in [0, 1] that the claim is supported, were true and false claims equally common.
    A claim below one half is refuted where the evidence says something else in its place, and not
    mentioned otherwise; so is one whose label is hardly likelier than another.
    """
    evidence, model = evidence_for(topic_stems(question), documents), read_weights(weights)
    read = [read_claim(claim.text, question) for claim in claims]
    found = support_probabilities(read, evidence, model)
    return [
        _verdict(claim.id, one, evidence, probability, model)
        for claim, one, probability in zip(claims, read, found, strict=True)
    ]


def read_claim(claim: str, question: str) -> Reading:
    """Read a claim in the light of a question, whose names it presupposes."""
    return Reading(claim, topic_stems(question), question_entity(question))


def attach_quotes(
    claims: Sequence[Claim], verdicts: Sequence[Verdict], documents: Sequence[Document]
) -> list[Verdict]:
    """Add to verdicts that a model gave the strip each speaks of."""
    evidence = evidence_for(frozenset(), documents)
    by_id = {claim.id: Reading(claim.text) for claim in claims}
    return [
        replace(v, evidence=(told.quote,))
        if v.label in ("supported", "refuted") and (told := _told(by_id[v.claim], evidence))
        else v
        for v in verdicts
    ]


def _told(claim: Reading, evidence: Evidence) -> Strip | None:
    """Give the strip that holds most of the claim; None where none shares a word with it."""
    top = (strip for strip, _ in evidence.best(claim))
    return max(top, key=lambda strip: _share(claim.own, strip), default=None)


def topic_stems(question: str) -> frozenset[str]:
    """Give the stems of the names in a question: what every claim may presuppose."""
    return frozenset(
        s for span in find_entities(question) if span.kind == "name" for s in span.stems
    )


def evidence_for(topic: frozenset[str], documents: Sequence[Document]) -> Evidence:
    """Cut documents into strips; of retrieved ones only those that name the topic best."""
    return _evidence(topic, tuple(documents))


@lru_cache(maxsize=16)
def _evidence(topic: frozenset[str], documents: tuple[Document, ...]) -> Evidence:
    """Count a page once for all the steps, or rows, that look at it."""
    cuts = [(document.source == "given", split_strips(document)) for document in documents]
    named = [len(topic & {stem for strip in cut for stem in strip.bag}) for _, cut in cuts]
    enough = max(named, default=0) / 2
    return Evidence(
        [
            strip
            for count, (given, cut) in zip(named, cuts, strict=True)
            if given or count > enough or not enough
            for strip in cut
        ]
    )


def _verdict(
    name: str, claim: Reading, evidence: Evidence, probability: float, model: Weights
) -> Verdict:
    if not any(word.is_content for word in split_words(claim.text)):
        said = "the claim says nothing that could be looked up"
        return Verdict(claim=name, label="unchecked", explanation=said)
    if not evidence.strips:
        said = "there is no document to judge by"
        return Verdict(claim=name, label="not_mentioned", score=NO_EVIDENCE, explanation=said)
    label, strip, explanation = _labelled(claim, evidence, probability, model)
    quotes = (strip.quote,) if strip else ()
    return Verdict(
        claim=name,
        label=label,
        score=round(probability, 4),
        evidence=quotes,
        explanation=explanation,
    )


def _labelled(
    claim: Reading, evidence: Evidence, probability: float, model: Weights
) -> tuple[VerdictLabel, Strip | None, str]:
    """Turn a probability into a label, the strip it rests on, and why."""
    told = _told(claim, evidence)
    if probability >= max(SUPPORTED, model.sure) and told:
        return "supported", told, ""
    rival = next(
        (
            r
            for span in missing_entities(claim, evidence)
            for r in find_contradictions(span, claim, evidence)
        ),
        None,
    )
    if rival and probability < SUPPORTED:
        said = f"the claim says {rival.instead_of.text}; the evidence says {rival.span.text}"
        return "refuted", rival.strip, said
    if probability > 1 - model.sure:
        return "not_mentioned", None, "the documents leave open whether this is so"
    return "not_mentioned", None, "the documents do not say this"


def _share(stems: Sequence[str], strip: Strip) -> float:
    return sum(stem in strip.bag for stem in stems) / len(stems) if stems else 0.0
