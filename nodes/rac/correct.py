"""Mend claims by the documents: the refuted ones with RAG, every one without (3.4, 4.3)."""

import re
from asyncio import gather, to_thread
from collections.abc import Sequence
from typing import TypedDict

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, joined, spent
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.rac.verify import abstention
from errata.nodes.step import step
from errata.records import Claim, Fix, Usage, Verdict
from errata.tools.local.correct import correct as local
from errata.tools.local.excerpts import select_excerpts
from errata.tools.models.chat import ModelReply
from errata.tools.text.language import detect_foreign_language

_LEAD = re.compile(
    r"^\W*(?:corrected (?:statement|claim|version|answer)|answer)\W*:\s*", re.IGNORECASE
)


class Corrected(TypedDict):
    """Add the fixes; without RAG also the verdicts that follow from them."""

    fixes: list[Fix]
    verdicts: list[Verdict]
    usage: Usage
    notes: list[str]


@step
async def correct(state: Rac, runtime: Runtime[RacContext]) -> Corrected:
    """Correct claims, all at once; one that fails keeps its text and is noted."""
    context = settings(runtime)
    claims = to_correct(state, context)
    model = context.filler("correct")
    failed, usage, notes = set[str](), Usage(), list[str]()
    if model is not None:
        fixes, failed, usage, notes = await _asked(state, claims, context, model)
    elif language := await to_thread(detect_foreign_language, state.draft):
        fixes = []
        notes = [] if context.rag else [abstention(language)]
    else:
        weights = context.weights("correct")
        fixes = await to_thread(local, state.question, claims, state.documents, weights)
    return {
        "fixes": [*fixes, *dropped(state, context, {fix.claim for fix in fixes})],
        "verdicts": state.verdicts or implied(state.claims, fixes, failed),
        "usage": usage,
        "notes": notes,
    }


def to_correct(state: Rac, context: RacContext) -> list[Claim]:
    """Choose the claims to correct (equations 4 and 8)."""
    if not context.rag:
        return state.claims[: context.max_claims]
    refuted = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    return [claim for claim in state.claims if claim.id in refuted]


def dropped(state: Rac, context: RacContext, fixed: set[str]) -> list[Fix]:
    """Take out what stays unsupported, where the run says so and there was evidence to judge by."""
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


def implied(claims: Sequence[Claim], fixes: Sequence[Fix], failed: set[str]) -> list[Verdict]:
    """Say what correcting without verifying tells: a claim that changed was wrong."""
    by_id = {fix.claim: fix for fix in fixes}
    return [_implied(claim, by_id.get(claim.id), claim.id in failed) for claim in claims]


def _implied(claim: Claim, fix: Fix | None, failed: bool) -> Verdict:
    if fix:
        said, quotes = fix.explanation, fix.evidence
        return Verdict(claim=claim.id, label="refuted", evidence=quotes, explanation=said)
    said = "kept as written; correcting without RAG judges none"
    return Verdict(claim=claim.id, label="unreadable" if failed else "unchecked", explanation=said)


async def _asked(
    state: Rac, claims: Sequence[Claim], context: RacContext, model: BaseChatModel
) -> tuple[list[Fix], set[str], Usage, list[str]]:
    """Have a model correct each claim in a call of its own."""
    name = "rac/correct.v1" if context.rag else "rac/correct.all.v1"
    whole = joined(state.documents)
    evidence = {verdict.claim: verdict.evidence for verdict in state.verdicts}

    async def one(claim: Claim) -> ModelReply | Exception:
        documents = whole
        if context.strips_per_claim:
            cut = (claim.text, state.documents, context.strips_per_claim)
            documents = joined(await to_thread(select_excerpts, *cut))
        values = {"question": state.question, "documents": documents, "claim": claim.text}
        try:
            return await asked(context, model, "correct", name, **values)
        except (ChatError, ReplyError) as error:
            return error

    replies = await gather(*(one(claim) for claim in claims))
    fixes, failed, usage, notes = [], set(), Usage(), []
    for claim, reply in zip(claims, replies, strict=True):
        if isinstance(reply, Exception):
            failed.add(claim.id)
            usage += spent(reply)
            notes.append(f"claim {claim.id} keeps its text: {reply}")
            continue
        usage += reply.usage
        text = read_correction(reply.text)
        if text != claim.text:
            fixes.append(Fix(claim=claim.id, text=text, evidence=evidence.get(claim.id, ())))
    return fixes, failed, usage, notes


def read_correction(reply: str) -> str:
    """Read the corrected claim: the first paragraph, without a label or quotation marks.

    >>> read_correction('Corrected statement: "Ada was born in 1815."')
    'Ada was born in 1815.'
    """
    text = " ".join(_LEAD.sub("", reply.strip()).split("\n\n")[0].split())
    quoted = len(text) > 1 and text[0] in '"“' and text[-1] in '"”'
    return text[1:-1] if quoted else text
