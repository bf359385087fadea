"""Mend claims by the documents: the refuted ones with RAG, every one without (3.4, 4.3)."""

from asyncio import to_thread
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TypedDict

from errata.core.edits import Spans
from errata.core.errors import OutOfTimeError
from errata.core.records import Claim, Fix, Quote, Verdict
from errata.nodes.ledger import note
from errata.nodes.rac.ask_corrections import ask_corrections
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.abstain import abstention
from errata.nodes.step import step
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.correct import correct as correct_locally
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.unclaimed import find_unclaimed

SECOND_LOOK = "judged wrong at first; the model that was to correct it found it right"

UNSURE = "that the local reader is not sure are wrong"
UNCORRECTED = "that the model did not correct"
_LEFT: Mapping[str, str] = {
    "conflicting": "on which the documents disagree",
    "unchecked": "that nothing checked",
    "unreadable": "on which a reply had no verdict",
}
"""Why claims of these labels stay where unsupported ones go."""


class Corrected(TypedDict):
    """The fixes; without RAG also the verdicts that follow from them."""

    fixes: list[Fix]
    verdicts: list[Verdict]


@step
async def correct(state: Rac, context: RacContext) -> Corrected:
    """Correct claims; one that fails keeps its text and is noted."""
    spared, right, failed = set[str](), set[str](), set[str]()
    if context.model_for("correct") is not None:
        claims = claims_to_correct(state, context)
        texts, right, failed = await ask_corrections(state, claims, context)
        fixes = await to_thread(_read_fixes, state, claims, texts)
        spared = right | failed
    elif language := await to_thread(detect_foreign_draft, state.draft):
        fixes = []
        if not context.rag:
            note(abstention(language))
    else:
        fixes = await _correct_locally(state, _refuted(state, context), context)
    fixes += await to_thread(removals, state, context, {fix.claim for fix in fixes} | spared)
    note(*say_what_is_left(state, context, {fix.claim for fix in fixes} | right))
    implied = implied_verdicts(state.claims, fixes, failed)
    return {"fixes": fixes, "verdicts": _revised(state.verdicts, fixes, right) or implied}


async def _correct_locally(state: Rac, claims: Sequence[Claim], context: RacContext) -> list[Fix]:
    """Local code's corrections; none if the run's time is over before they are found."""
    weights = context.weights("correct")
    others = [claim for claim in state.claims if claim not in claims]
    try:
        known = (state.question, claims, state.documents, weights, others)
        return await to_thread(correct_locally, *known)
    except OutOfTimeError as error:
        note(f"no claim was corrected: {error}")
        return []


def claims_to_correct(state: Rac, context: RacContext) -> list[Claim]:
    """The claims that a model corrects: the refuted ones with RAG, all without (equations 4, 8).

    Where unmentioned claims are to go, also those of which only some words are not mentioned.
    """
    partly = {v.claim for v in state.verdicts if v.doubted and _unwanted(v, context)}
    refuted = {claim.id for claim in _refuted(state, context)}
    return [claim for claim in state.claims if claim.id in refuted | partly]


def _refuted(state: Rac, context: RacContext) -> list[Claim]:
    if not context.rag:
        return state.claims[: context.max_claims]
    refuted = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    return [claim for claim in state.claims if claim.id in refuted]


def removals(state: Rac, context: RacContext, spared: Set[str]) -> list[Fix]:
    """Fixes that take out unsupported claims, where the run says so and there are documents.

    What a model took for a claim and is none, such as an instruction, stays unless it is refuted.
    """
    if not state.documents or _keeps_all(state, context):
        return []
    unclaimed = Spans(find_unclaimed(state.draft), lambda skipped: (skipped.start, skipped.end))
    stay = spared | {c.id for c in state.claims if unclaimed.touching(c.start, c.start + 1)}
    return [
        Fix(claim=v.claim, text="", evidence=v.evidence, explanation=v.explanation)
        for v in state.verdicts
        if v.claim not in (spared if v.label == "refuted" else stay) and _unwanted(v, context)
    ]


def _keeps_all(state: Rac, context: RacContext) -> bool:
    """Whether the draft stays, having no refuted claim (KAT, section 4.4)."""
    return context.keep_all_true and all(v.label != "refuted" for v in state.verdicts)


def _unwanted(verdict: Verdict, context: RacContext) -> bool:
    """Whether a run takes a claim out."""
    bad = verdict.label in ("refuted", "not_mentioned")
    return context.drops and bad and not _not_judged(verdict, context)


def _not_judged(verdict: Verdict, context: RacContext) -> bool:
    """Whether a claim that is not mentioned is not unlikely enough to take out.

    What documents seem to lack, or to contradict, the local reader often only failed to see.
    """
    if verdict.label != "not_mentioned" or verdict.score is None:
        return False
    is_spoken_of = verdict.reason not in (None, "absent") and context.drop_below < 1
    return is_spoken_of or verdict.score > context.drop_below


def say_what_is_left(state: Rac, context: RacContext, settled: Set[str]) -> list[str]:
    """A note on how many unsupported claims stay where such claims are to go, and why."""
    bad = [v for v in state.verdicts if v.label != "supported" and v.claim not in settled]
    if not (context.drops and bad):
        return []
    spared = "that keep_all_true keeps" if _keeps_all(state, context) else UNCORRECTED
    counts = Counter(_why_left(verdict, context) or spared for verdict in bad)
    reasons = ", ".join(f"{number} {reason}" for reason, number in counts.items())
    return [f"left {len(bad)} unsupported {'claim' if len(bad) == 1 else 'claims'}: {reasons}"]


def _why_left(verdict: Verdict, context: RacContext) -> str:
    """Why a claim may not be taken out; empty if its verdict does not say."""
    if _not_judged(verdict, context):
        understood = verdict.reason != "not_understood"
        return UNSURE if understood else "that the local reader could not judge"
    return _LEFT.get(verdict.label, "")


def implied_verdicts(
    claims: Sequence[Claim], fixes: Sequence[Fix], failed: Set[str]
) -> list[Verdict]:
    """The verdicts that follow from correcting without verifying: a changed claim was wrong."""
    by_claim = {fix.claim: fix for fix in fixes}
    return [_implied(claim, by_claim.get(claim.id), claim.id in failed) for claim in claims]


def _implied(claim: Claim, fix: Fix | None, failed: bool) -> Verdict:
    if fix:
        reason, quotes = fix.explanation, fix.evidence
        return Verdict(claim=claim.id, label="refuted", evidence=quotes, explanation=reason)
    reason = "kept as written; correcting without RAG judges none"
    return Verdict(
        claim=claim.id, label="unreadable" if failed else "unchecked", explanation=reason
    )


def _read_fixes(state: Rac, claims: Sequence[Claim], texts: Mapping[str, str]) -> list[Fix]:
    """A fix for each claim that the model changed, with the quote that shows the new text."""
    changed = {c.id: texts[c.id] for c in claims if texts.get(c.id, c.text) != c.text}
    quotes = dict(zip(changed, quote_texts(changed.values(), state.documents), strict=True))
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    return [_fix(name, text, quotes[name], verdicts.get(name)) for name, text in changed.items()]


def _fix(claim: str, text: str, quote: Quote | None, verdict: Verdict | None) -> Fix:
    """A model's correction of a claim, explained by the verdict on it."""
    seen = verdict.evidence if verdict else ()
    explanation = verdict.explanation if verdict else ""
    evidence = (quote,) if quote and text else seen
    return Fix(claim=claim, text=text, evidence=evidence, explanation=explanation)


def _revised(verdicts: Sequence[Verdict], fixes: Sequence[Fix], right: Set[str]) -> list[Verdict]:
    """The verdicts after correcting: with the evidence of the fixes, without what proved right."""
    shown = {fix.claim: fix.evidence for fix in fixes if fix.text and fix.evidence}
    return [
        replace(verdict, label="supported", reason=None, doubted=(), explanation=SECOND_LOOK)
        if verdict.claim in right
        else replace(verdict, evidence=shown.get(verdict.claim, verdict.evidence))
        for verdict in verdicts
    ]
