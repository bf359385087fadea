"""The local filler of RAC's verify role: logistic regression over lexical features."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from errata.errors import InputError
from errata.records import Claim, Document, Verdict, VerdictLabel, from_json
from errata.tools.features import Evidence, Features, Reading, features
from errata.tools.files import json_row, read_text
from errata.tools.rivals import lost, rivals
from errata.tools.spans import spans
from errata.tools.strips import Strip, strips
from errata.tools.words import words

SUPPORTED = 0.5
"""From which score on a claim is supported."""
NO_EVIDENCE = 0.0
"""The score where there is nothing to judge by: nothing supports no claim."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Hold the fitted model, as `errata.evals.train_verifier` writes it."""

    bias: float
    weights: Features


def verify(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> list[Verdict]:
    """Judge every claim against the documents, with the shipped weights or a file of others.

    `score` is the probability in [0, 1] that the claim is supported, were true and false claims
    equally common. A claim below one half is refuted where the evidence says something else in
    its place, and not mentioned otherwise.
    """
    topic = topic_of(question)
    evidence = evidence_for(topic, documents)
    model = read_weights(weights)
    return [_verdict(claim.id, Reading(claim.text, topic), evidence, model) for claim in claims]


def quoted(
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


def topic_of(question: str) -> frozenset[str]:
    """Give the stems of the names in a question: what every claim may presuppose."""
    return frozenset(s for span in spans(question) if span.kind == "name" for s in span.stems)


def evidence_for(topic: frozenset[str], documents: Sequence[Document]) -> Evidence:
    """Cut documents into strips; of retrieved ones only those that name the topic best."""
    return _evidence(topic, tuple(documents))


@lru_cache(maxsize=16)
def _evidence(topic: frozenset[str], documents: tuple[Document, ...]) -> Evidence:
    """Count a page once for all the steps, or rows, that look at it."""
    cuts = [(document.source == "given", strips(document)) for document in documents]
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


def score(claim: Reading, evidence: Evidence, model: Weights) -> float:
    """Give the probability that the claim is supported."""
    values = features(claim, evidence)
    logit = model.bias + sum(w * values[name] for name, w in model.weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@cache
def read_weights(path: str = "") -> Weights:
    """Read fitted weights: the shipped ones, or a file that the training script wrote.

    Raises InputError where the file is missing or fits other features than ours.
    """
    file = Path(path) if path else files("errata.tools").joinpath("verifier.json")
    model = from_json(Weights, json_row(read_text(file), f"{path!r}"))
    names = set(features(Reading("x"), Evidence([])))
    if set(model.weights) != names:
        odd = sorted(set(model.weights) ^ names)
        raise InputError(f"{path!r} was fitted on other features ({odd[0]}, …); train it again")
    return model


def _verdict(name: str, claim: Reading, evidence: Evidence, model: Weights) -> Verdict:
    if not any(word.content for word in words(claim.text)):
        said = "the claim says nothing that could be looked up"
        return Verdict(claim=name, label="unchecked", explanation=said)
    if not evidence.strips:
        said = "there is no document to judge by"
        return Verdict(claim=name, label="not_mentioned", score=NO_EVIDENCE, explanation=said)
    probability = score(claim, evidence, model)
    label, strip, explanation = _reading(claim, evidence, probability)
    quotes = (strip.quote,) if strip else ()
    return Verdict(
        claim=name,
        label=label,
        score=round(probability, 4),
        evidence=quotes,
        explanation=explanation,
    )


def _reading(
    claim: Reading, evidence: Evidence, probability: float
) -> tuple[VerdictLabel, Strip | None, str]:
    """Turn a probability into a label, the strip it rests on, and why."""
    if probability >= SUPPORTED and (told := _told(claim, evidence)):
        return "supported", told, ""
    rival = next((r for span in lost(claim, evidence) for r in rivals(span, claim, evidence)), None)
    if rival is None:
        return "not_mentioned", None, "the documents do not say this"
    said = f"the claim says {rival.instead_of.text}; the evidence says {rival.span.text}"
    return "refuted", rival.strip, said


def _share(stems: Sequence[str], strip: Strip) -> float:
    return sum(stem in strip.bag for stem in stems) / len(stems) if stems else 0.0
