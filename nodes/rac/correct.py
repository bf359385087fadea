"""Mend claims by the documents: the refuted ones with RAG, every one without (3.4, 4.3)."""

import re
from asyncio import gather, to_thread
from collections.abc import Sequence
from typing import TypedDict

from errata.errors import OutOfTimeError
from errata.nodes.ask import Reply, ask_all, number_documents
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.abstain import abstention
from errata.nodes.step import step
from errata.records import Claim, Fix, Verdict
from errata.tools.local.correct import correct as correct_locally
from errata.tools.local.excerpts import select_excerpts
from errata.tools.text.language import detect_foreign_draft

_LEAD = re.compile(
    r"^\W*(?:corrected (?:statement|claim|version|answer)|answer)\W*:\s*", re.IGNORECASE
)


class Corrected(TypedDict):
    """The fixes; without RAG also the verdicts that follow from them."""

    fixes: list[Fix]
    verdicts: list[Verdict]


@step
async def correct(state: Rac, context: RacContext) -> Corrected:
    """Correct claims, all at once; one that fails keeps its text and is noted."""
    claims, failed = claims_to_correct(state, context), set[str]()
    if context.model_for("correct") is not None:
        replies = dict(zip(claims, await _ask_model(state, claims, context), strict=True))
        fixes = _read_fixes(state, replies)
        failed = {claim.id for claim, reply in replies.items() if reply.failure}
    elif language := await to_thread(detect_foreign_draft, state.draft):
        fixes = []
        if not context.rag:
            note(abstention(language))
    else:
        fixes = await _correct_locally(state, claims, context)
    return {
        "fixes": [*fixes, *removals(state, context, {fix.claim for fix in fixes})],
        "verdicts": state.verdicts or implied_verdicts(state.claims, fixes, failed),
    }


async def _correct_locally(state: Rac, claims: Sequence[Claim], context: RacContext) -> list[Fix]:
    """Local code's corrections; none if the run's time is over before they are found."""
    weights = context.weights("correct")
    try:
        return await to_thread(correct_locally, state.question, claims, state.documents, weights)
    except OutOfTimeError as error:
        note(f"no claim was corrected: {error}")
        return []


def claims_to_correct(state: Rac, context: RacContext) -> list[Claim]:
    """The refuted claims with RAG, all without (equations 4 and 8)."""
    if not context.rag:
        return state.claims[: context.max_claims]
    refuted = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    return [claim for claim in state.claims if claim.id in refuted]


def removals(state: Rac, context: RacContext, fixed: set[str]) -> list[Fix]:
    """Fixes that take out unsupported claims, where the run says so and there are documents."""
    return [
        Fix(claim=v.claim, text="", evidence=v.evidence, explanation=v.explanation)
        for v in state.verdicts
        if v.claim not in fixed and state.documents and _unwanted(v, context)
    ]


def _unwanted(verdict: Verdict, context: RacContext) -> bool:
    sure = verdict.score is None or verdict.score < context.drop_below
    unsupported = verdict.label in ("refuted", "not_mentioned") and sure
    unmentioned = verdict.label == "not_mentioned"
    return (context.unsupported == "drop" and unsupported) or (
        context.drop_not_mentioned and unmentioned
    )


def implied_verdicts(
    claims: Sequence[Claim], fixes: Sequence[Fix], failed: set[str]
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


async def _ask_model(state: Rac, claims: Sequence[Claim], context: RacContext) -> list[Reply]:
    """A model's correction of each claim, in a call of its own."""
    template = "rac/correct" if context.rag else "rac/correct.all"
    documents = await gather(*(_documents_for(claim, state, context) for claim in claims))
    requests = [
        {"question": state.question, "documents": text, "claim": claim.text}
        for claim, text in zip(claims, documents, strict=True)
    ]
    consequences = [f"claim {claim.id} keeps its text" for claim in claims]
    return await ask_all(context, "correct", template, requests, consequences)


async def _documents_for(claim: Claim, state: Rac, context: RacContext) -> str:
    """The documents whole, or only the best strips for one claim."""
    documents = state.documents
    if context.strips_per_claim:
        best = (claim.text, documents, context.strips_per_claim)
        documents = await to_thread(select_excerpts, *best)
    return number_documents(documents)


def _read_fixes(state: Rac, replies: dict[Claim, Reply]) -> list[Fix]:
    """A fix for each claim that the model changed."""
    evidence = {verdict.claim: verdict.evidence for verdict in state.verdicts}
    texts = {claim: read_correction(r.text) for claim, r in replies.items() if not r.failure}
    return [
        Fix(claim=claim.id, text=text, evidence=evidence.get(claim.id, ()))
        for claim, text in texts.items()
        if text != claim.text
    ]


def read_correction(reply: str) -> str:
    """The corrected claim: the reply's first paragraph, without a label or quotation marks.

    >>> read_correction('Corrected statement: "Ada was born in 1815."')
    'Ada was born in 1815.'
    """
    text = " ".join(_LEAD.sub("", reply.strip()).split("\n\n")[0].split())
    quoted = len(text) > 1 and text[0] in '"“' and text[-1] in '"”'
    return text[1:-1] if quoted else text
