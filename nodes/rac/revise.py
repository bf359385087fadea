"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

import re
from asyncio import gather, to_thread
from collections.abc import Sequence
from dataclasses import replace

from errata.edits import diff, overlaps
from errata.nodes.ask import ask, number_claims
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.report import read_revision
from errata.nodes.shared.rewrite import Revised, claims_at, rewrite_draft
from errata.nodes.step import step
from errata.records import Claim, Edit, Fix
from errata.tools.local.guard import guard
from errata.tools.local.revise import claim_spans
from errata.tools.local.revise import revise as revise_locally
from errata.tools.local.tidy import tidy
from errata.tools.text.language import detect_foreign_language
from errata.tools.text.sentences import split_sentences

_BULLET = re.compile(r"\A(?:[-*•#>]+|\d{1,3}[.)])\s+")


@step
async def revise(state: Rac, context: RacContext) -> Revised:
    """Edit the draft; a failure leaves it as it was."""
    if context.model_for("revise") is None:
        draft = (state.question, state.draft, state.claims, state.fixes)
        edits, notes = await to_thread(revise_locally, *draft)
        note(*notes)
        return {"edits": edits}
    rewrite = _rewrite_sentences if context.revision == "sentences" else _rewrite_whole
    edits = await rewrite(state, context)
    if context.guard and not await to_thread(detect_foreign_language, state.draft):
        edits, drops = await to_thread(_guard, state, context, edits)
        note(*drops)
    edits, notes = await to_thread(tidy, state.question, state.draft, edits)
    note(*notes)
    return {"edits": edits}


async def _rewrite_whole(state: Rac, context: RacContext) -> list[Edit]:
    """A model's rewriting of the whole draft, as in the paper."""
    template = "rac/revise.short.v1" if context.answers == "short" else "rac/revise.v1"
    facts = number_claims(corrected_claims(state, context))
    values = {"question": state.question, "claims": facts}
    edits = await rewrite_draft(context, "revise", template, state.draft, **values)
    return [_tie(edit, state.claims, state.fixes) for edit in edits]


async def _rewrite_sentences(state: Rac, context: RacContext) -> list[Edit]:
    """A model's rewriting of each sentence that holds fixed claims, all at once."""
    fixed = {fix.claim for fix in state.fixes}
    spans = claim_spans([claim for claim in state.claims if claim.id in fixed])
    parts = await gather(*(_rewrite_sentence(state, context, *span) for span in spans))
    return [edit for part in parts for edit in part]


async def _rewrite_sentence(state: Rac, context: RacContext, start: int, end: int) -> list[Edit]:
    """A model's rewriting of one sentence; it goes whole where all its claims should go."""
    sentence = state.draft[start:end]
    claims = [claim for claim in state.claims if start <= claim.start < end]
    fixes = {fix.claim: fix for fix in state.fixes}
    if all(claim.id in fixes and not fixes[claim.id].text for claim in claims):
        return [_tie(Edit(start=start, end=end, before=sentence, after=""), claims, state.fixes)]
    text = _BULLET.sub("", sentence)
    facts = [claim for claim in corrected_claims(state, context) if start <= claim.start < end]
    values = {
        "question": state.question,
        "draft": text,
        "claims": number_claims(facts),
        "errors": number_claims(claim for claim in claims if claim.id in fixes),
    }
    consequence = f"the sentence at {start} was not revised"
    reply = await ask(context, "revise", "rac/revise.sentence.v1", if_failed=consequence, **values)
    if reply.failure:
        return []
    revision = read_revision(reply.text)
    if len(split_sentences(revision)) > len(split_sentences(text)):
        note(f"{consequence}: the reply holds more than that sentence")
        return []
    return [_tie(edit, claims, state.fixes) for edit in diff(text, revision, end - len(text))]


def _guard(state: Rac, context: RacContext, edits: Sequence[Edit]) -> tuple[list[Edit], list[str]]:
    """Drop harmful edits; make the minimal local edit instead."""
    ground = (state.claims, state.fixes, state.documents, context.weights("verify"))
    harmless, notes = guard(state.question, state.draft, edits, *ground)
    spoiled = {claim for edit in edits if edit not in harmless for claim in edit.claims}
    unmended = [f for f in state.fixes if f.text and f.claim in spoiled]
    smaller, _ = revise_locally(state.question, state.draft, state.claims, unmended)
    return harmless + [edit for edit in smaller if not overlaps(edit, harmless)], notes


def corrected_claims(state: Rac, context: RacContext) -> list[Claim]:
    """The claims after correction: mended, kept, or left out (equations 8 and 9).

    A claim that is refuted and not mended, or that nothing could judge, is no verified fact.
    """
    texts = {fix.claim: fix.text for fix in state.fixes}
    bad = {"refuted", "unreadable"} | ({"unchecked"} if context.rag else set())
    unfit = {verdict.claim for verdict in state.verdicts if verdict.label in bad} - set(texts)
    mended = [replace(claim, text=texts.get(claim.id, claim.text)) for claim in state.claims]
    return [claim for claim in mended if claim.text and claim.id not in unfit]


def _tie(edit: Edit, claims: Sequence[Claim], fixes: Sequence[Fix]) -> Edit:
    """The edit with the fixes that it rests on: those of claims whose sentence it touches."""
    nearby = {claim.id for claim in claims_at(edit, claims)}
    grounds = [fix for fix in fixes if fix.claim in nearby]
    return replace(
        edit,
        claims=tuple(fix.claim for fix in grounds),
        evidence=tuple(dict.fromkeys(quote for fix in grounds for quote in fix.evidence)),
        explanation="; ".join(dict.fromkeys(f.explanation for f in grounds if f.explanation)),
    )
