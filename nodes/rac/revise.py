"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from errata.edits import diff
from errata.errors import ChatError, ReplyError
from errata.nodes.asking import asked, listed, spent
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.step import step
from errata.records import Claim, Edit, Fix, Usage
from errata.tools.guard import guarded
from errata.tools.language import foreign
from errata.tools.reviser import revise as local

_LEAD = re.compile(
    r"^\W*(?:corrected|revised) (?:answer|draft|text|response)\W*:\s*", re.IGNORECASE
)


class Revised(TypedDict):
    """Add the edits."""

    edits: list[Edit]
    usage: Usage
    notes: list[str]


@step
async def revise(state: Rac, runtime: Runtime[RacContext]) -> Revised:
    """Edit the draft; a failure leaves it as it was."""
    context = settings(runtime)
    model = context.filler("revise")
    if model is None:
        edits, notes = await to_thread(
            local, state.question, state.draft, state.claims, state.fixes
        )
        return {"edits": edits, "usage": state.usage, "notes": [*state.notes, *notes]}
    try:
        edits, usage = await _asked(state, context, model)
    except (ChatError, ReplyError) as error:
        note = f"the draft was not revised: {error}"
        usage = state.usage + spent(error)
        return {"edits": [], "usage": usage, "notes": [*state.notes, note]}
    dropped: list[str] = []
    if context.guard and not await to_thread(foreign, state.draft):
        ground = (state.claims, state.fixes, state.documents)
        edits, dropped = await to_thread(guarded, state.question, state.draft, edits, *ground)
    return {"edits": edits, "usage": state.usage + usage, "notes": [*state.notes, *dropped]}


async def _asked(state: Rac, context: RacContext, model: BaseChatModel) -> tuple[list[Edit], Usage]:
    name = "rac/revise.short.v1" if context.answers == "short" else "rac/revise.v1"
    reply = await asked(
        context,
        model,
        "revise",
        name,
        question=state.question,
        draft=state.draft,
        claims=listed(verified(state, context)),
    )
    edits = diff(state.draft, read_revision(reply.text))
    return [tied(edit, state.claims, state.fixes) for edit in edits], reply.usage


def verified(state: Rac, context: RacContext) -> list[Claim]:
    """Give the claims after correction: mended, kept, or left out (equations 8 and 9).

    A claim that is refuted and not mended, or that nothing could judge, is no verified fact.
    """
    by_id = {fix.claim: fix.text for fix in state.fixes}
    bad = {"refuted", "unreadable"} | ({"unchecked"} if context.rag else set())
    unfit = {verdict.claim for verdict in state.verdicts if verdict.label in bad} - set(by_id)
    mended = [replace(claim, text=by_id.get(claim.id, claim.text)) for claim in state.claims]
    return [claim for claim in mended if claim.text and claim.id not in unfit]


def tied(edit: Edit, claims: Sequence[Claim], fixes: Sequence[Fix]) -> Edit:
    """Tie an edit to the fixed claims whose sentence it touches."""
    there = {
        c.id for c in claims if c.start <= edit.start < c.end or edit.start <= c.start < edit.end
    }
    mine = [fix for fix in fixes if fix.claim in there]
    return replace(
        edit,
        claims=tuple(fix.claim for fix in mine),
        evidence=tuple(dict.fromkeys(quote for fix in mine for quote in fix.evidence)),
        explanation="; ".join(dict.fromkeys(f.explanation for f in mine if f.explanation)),
    )


def read_revision(reply: str) -> str:
    """Read the revised draft: the reply without a label before it.

    >>> read_revision("Corrected answer: Ada was born in 1815.")
    'Ada was born in 1815.'
    """
    return _LEAD.sub("", reply.strip())
