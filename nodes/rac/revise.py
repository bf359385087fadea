"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

import re
from asyncio import gather, to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypedDict

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from errata.edits import diff, overlaps
from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, listed, spent
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.shared.report import read_revision
from errata.nodes.step import step
from errata.records import Claim, Edit, Fix, Usage
from errata.tools.local.guard import guard
from errata.tools.local.revise import claim_places, tidy
from errata.tools.local.revise import revise as local
from errata.tools.text.language import detect_foreign_language
from errata.tools.text.sentences import split_sentences

_BULLET = re.compile(r"\A(?:[-*•#>]+|\d{1,3}[.)])\s+")


class Revised(TypedDict):
    """Add the edits."""

    edits: list[Edit]
    usage: Usage
    notes: list[str]


class Rewritten(NamedTuple):
    """Hold the edits that a model's rewriting comes to, what it cost, and what went wrong."""

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
        return {"edits": edits, "usage": Usage(), "notes": notes}
    form = _sentences if context.revision == "sentences" else _draft
    edits, usage, notes = await form(state, context, model)
    if context.guard and not await to_thread(detect_foreign_language, state.draft):
        edits, dropped = await to_thread(_guarded, state, context, edits)
        notes += dropped
    edits, left = await to_thread(tidy, state.question, state.draft, edits)
    return {"edits": edits, "usage": usage, "notes": [*notes, *left]}


async def _draft(state: Rac, context: RacContext, model: BaseChatModel) -> Rewritten:
    """Have a model rewrite the draft as a whole, as the paper does."""
    name = "rac/revise.short.v1" if context.answers == "short" else "rac/revise.v1"
    facts = listed(verified(state, context))
    values = {"question": state.question, "draft": state.draft, "claims": facts}
    try:
        reply = await asked(context, model, "revise", name, **values)
    except (ChatError, ReplyError) as error:
        return Rewritten([], spent(error), [f"the draft was not revised: {error}"])
    edits = diff(state.draft, read_revision(reply.text))
    return Rewritten([tied(edit, state.claims, state.fixes) for edit in edits], reply.usage, [])


async def _sentences(state: Rac, context: RacContext, model: BaseChatModel) -> Rewritten:
    """Have a model mend the sentences that hold fixed claims, all at once; the rest is copied."""
    fixed = {fix.claim for fix in state.fixes}
    touched = claim_places([claim for claim in state.claims if claim.id in fixed])
    parts = await gather(*(_sentence(state, context, model, *place) for place in touched))
    edits = [edit for part in parts for edit in part.edits]
    usage = sum((part.usage for part in parts), Usage())
    return Rewritten(edits, usage, [note for part in parts for note in part.notes])


async def _sentence(
    state: Rac, context: RacContext, model: BaseChatModel, start: int, end: int
) -> Rewritten:
    """Have a model mend one sentence; take it out where all that it claims should go."""
    sentence = state.draft[start:end]
    there = [claim for claim in state.claims if start <= claim.start < end]
    fixes = {fix.claim: fix for fix in state.fixes}
    if all(claim.id in fixes and not fixes[claim.id].text for claim in there):
        gone = Edit(start=start, end=end, before=sentence, after="")
        return Rewritten([tied(gone, there, state.fixes)], Usage(), [])
    facts = [claim for claim in verified(state, context) if start <= claim.start < end]
    shown = _BULLET.sub("", sentence)
    values = {
        "question": state.question,
        "draft": shown,
        "claims": listed(facts),
        "errors": listed(claim for claim in there if claim.id in fixes),
    }
    try:
        reply = await asked(context, model, "revise", "rac/revise.sentence.v1", **values)
    except (ChatError, ReplyError) as error:
        note = f"the sentence at {start} was not revised: {error}"
        return Rewritten([], spent(error), [note])
    mended = read_revision(reply.text)
    if len(split_sentences(mended)) > len(split_sentences(shown)):
        note = f"the sentence at {start} was not revised: the reply holds more than that sentence"
        return Rewritten([], reply.usage, [note])
    edits = diff(shown, mended, end - len(shown))
    return Rewritten([tied(edit, there, state.fixes) for edit in edits], reply.usage, [])


def _guarded(
    state: Rac, context: RacContext, edits: Sequence[Edit]
) -> tuple[list[Edit], list[str]]:
    """Drop edits that do harm; mend by the smallest change what they were to mend."""
    ground = (state.claims, state.fixes, state.documents, context.weights("verify"))
    kept, notes = guard(state.question, state.draft, edits, *ground)
    spoiled = {claim for edit in edits if edit not in kept for claim in edit.claims}
    owed = [f for f in state.fixes if f.text and f.claim in spoiled]
    smaller, _ = local(state.question, state.draft, state.claims, owed)
    return kept + [edit for edit in smaller if not overlaps(edit, kept)], notes


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
