"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

from asyncio import to_thread
from collections.abc import Sequence, Set
from dataclasses import replace

from errata.core.edits import Span, Spans, diff, grouped, join_edits
from errata.core.errors import count
from errata.core.records import INCONCLUSIVE, Claim, Edit, Verdict, most_go
from errata.nodes.ask import number_claims
from errata.nodes.choose import find_borne_out
from errata.nodes.claims import find_unmended, within_limit
from errata.nodes.decide import show_passages
from errata.nodes.rac.correct import mend_claims
from errata.nodes.rac.state import ClaimContext, Rac, rewrites
from errata.nodes.rewrite import Line, rewrite_draft, rewrite_lines
from errata.nodes.step import Update, note, step
from errata.tools.local.changes import ground_fixes, group_edits, keep_to_grounds, settle
from errata.tools.local.extract import sentence_places
from errata.tools.local.guard import guard
from errata.tools.local.hedge import hedge
from errata.tools.local.mends import Mend
from errata.tools.local.revise import mend_sentence, unsound_places
from errata.tools.local.revise import revise as revise_locally
from errata.tools.local.tidy import tidy
from errata.tools.text.language import detect_foreign_draft


@step
async def revise(state: Rac, context: ClaimContext) -> Update:
    """Edit the draft, and mark what has no support if the run says so."""
    edits = await rewrite(state, context) if rewrites(state, context) else []
    if not context.marks:
        return {"edits": edits}
    doubted = {v.claim: v for v in state.verdicts if v.label in INCONCLUSIVE}
    refuted = {verdict.claim: verdict for verdict in state.verdicts if verdict.label == "refuted"}
    for claim in find_unmended(state.claims, state.verdicts, edits):
        doubted[claim.id] = refuted[claim.id]
    edits, notes = await to_thread(hedge, state.draft, edits, state.claims, doubted)
    note(*notes)
    return {"edits": edits}


async def rewrite(state: Rac, context: ClaimContext) -> list[Edit]:
    """The edits that the fixes come to; a failure leaves the draft as it was."""
    question, draft = state.question, state.draft
    removed = {fix.claim for fix in state.fixes if not fix.text}
    if most_go(len(removed), len(state.claims)):
        note(f"most of the draft has no support: {len(removed)} of {count(state.claims, 'claim')}")
    if context.model_for("revise") is None:
        mends = await to_thread(mends_made, state, context)
        known = (state.claims, state.fixes, state.verdicts, mends)
        edits, notes = await to_thread(revise_locally, question, draft, *known)
        note(*notes)
        return edits
    write = _rewrite_sentences if context.revision == "sentences" else _rewrite_whole
    edits = await write(state, context, removed)
    ground = (sentence_places(draft), ground_fixes(state.claims, state.fixes))
    if context.guard:
        edits = await to_thread(keep_to_grounds, edits, *ground)
    edits = await to_thread(settle, draft, edits, *ground)
    if left := sorted(removed - {claim for edit in edits for claim in edit.claims}):
        note(f"the rewriting left what has no support where it was: {', '.join(left)}")
    if context.guard and not await to_thread(detect_foreign_draft, draft):
        edits, drops = await to_thread(_guard, state, context, edits)
        note(*drops)
    if context.guard:
        edits = await _keep_said(state, context, edits)
    unsound = unsound_places(state.claims, state.fixes, state.verdicts)
    edits, notes = await to_thread(tidy, question, draft, edits, unsound)
    note(*notes)
    return edits


async def _rewrite_whole(state: Rac, context: ClaimContext, removed: Set[str]) -> list[Edit]:
    """A model's rewriting of the whole draft, as in the paper, told what has to go."""
    values = {
        "question": state.question,
        "claims": number_claims(corrected_claims(state, context)),
        "errors": number_claims(claim for claim in state.claims if claim.id in removed),
    }
    template = "rac/revise.short" if context.answers == "short" else "rac/revise"
    if removed:
        template = "rac/revise.drop"
    return await rewrite_draft(context, "revise", template, state.draft, **values)


async def _rewrite_sentences(state: Rac, context: ClaimContext, removed: Set[str]) -> list[Edit]:
    """The sentences that hold fixed claims, mended by code, or by a model, all in one call.

    Code takes out a sentence all of whose claims should go, and makes the changes of one if all of
    its fixes can be made so. A claim without a place of its own is noted.
    """
    draft, names = state.draft, {fix.claim for fix in state.fixes}
    mends = await to_thread(mends_made, state, context)
    by_id = {claim.id: claim for claim in state.claims}
    fixed = [claim for claim in state.claims if claim.id in names]
    if len(sentence_places(draft)) > 1:
        lost = [claim for claim in fixed if (claim.start, claim.end) == (0, len(draft))]
        fixed = [claim for claim in fixed if claim not in lost]
        reason = "its words were not found in the draft; left as it was"
        note(*(f"claim {claim.id}: {reason}" for claim in lost))
    claims = Spans(state.claims, _beginning)
    facts = Spans(corrected_claims(state, context), _beginning)
    edits, lines = list[Edit](), list[Line]()
    for (start, end), _ in grouped(((claim.start, claim.end), claim) for claim in fixed):
        own = claims.touching(start, end)
        if all(claim.id in removed for claim in own):
            edits.append(Edit(start=start, end=end, before=draft[start:end], after=""))
            continue
        fixes = [fix for fix in state.fixes if any(fix.claim == claim.id for claim in own)]
        text, left = mend_sentence(draft[start:end], by_id, fixes, mends)
        if not left:
            edits += diff(draft[start:end], text, start)
        else:
            errors = tuple(claim.text for claim in own if claim.id in names)
            true = tuple(claim.text for claim in facts.touching(start, end))
            may_go = context.drops and len(errors) == len(own)
            lines.append(Line(start, end, true, errors, may_go))
    template = "rac/revise.sentence"
    return edits + await rewrite_lines(context, template, state.question, draft, lines)


def mends_made(state: Rac, context: ClaimContext) -> dict[str, list[Mend]]:
    """The mends of claims whose fixes they made."""
    texts = mend_claims(state, context)
    return {
        f.claim: state.mends[f.claim] for f in state.fixes if texts.get(f.claim) == f.text != ""
    }


def _beginning(claim: Claim) -> Span:
    return claim.start, claim.start + 1


def _guard(
    state: Rac, context: ClaimContext, edits: Sequence[Edit]
) -> tuple[list[Edit], list[str]]:
    """Drop harmful revisions of sentences; make the smallest local edits instead.

    The sentences that no fix and no verdict speaks against count as claims that have to stay.
    """
    draft = state.draft
    judged = [v for v in state.verdicts if v.label not in ("unchecked", "unreadable")]
    against = {fix.claim for fix in state.fixes}
    against |= {verdict.claim for verdict in judged if verdict.label == "refuted"}
    disputed = Spans([claim for claim in state.claims if claim.id in against], _beginning)
    stay = [
        Claim(id=f"at {start}", text=draft[start:end], start=start, end=end)
        for start, end in (sentence_places(draft) if judged else ())
        if not disputed.touching(start, end)
    ]
    judged += [Verdict(claim=claim.id, label="supported") for claim in stay]
    claims, weights = [*state.claims, *stay], context.weights("verify")
    ground = (claims, state.fixes, state.documents, weights, judged)
    harmless, notes = guard(state.question, draft, edits, *ground)
    spoiled = {claim for edit in set(edits) - set(harmless) for claim in edit.claims}
    unmended = [f for f in state.fixes if f.text and f.claim in spoiled]
    mends = mends_made(state, context)
    smaller, _ = revise_locally(state.question, draft, state.claims, unmended, (), mends)
    kept = Spans(harmless, lambda edit: (edit.start, edit.end))
    return harmless + [e for e in smaller if not kept.touching(e.start, e.end)], notes


async def _keep_said(state: Rac, context: ClaimContext, edits: Sequence[Edit]) -> list[Edit]:
    """Drop a model's revision of a sentence that a decision model does not find in the documents.

    What was chosen was read already, and what only takes words out puts nothing in.
    """
    deciders = context.deciders("verify") or context.deciders("verify", 1)
    chosen = {fix.claim for fix in state.fixes if fix.by == "choice"}
    groups = group_edits(edits, sentence_places(state.draft)) if deciders else []
    changes = dict[str, tuple[str, str]]()
    for place, own in groups:
        rests_on = {claim for edit in own for claim in edit.claims}
        if not rests_on <= chosen and any(edit.after.strip() for edit in own):
            whole = join_edits(state.draft, own, place)
            changes[str(place[0])] = whole.before, whole.after
    if not changes:
        return list(edits)
    claims, _ = within_limit(state.claims, context)
    _, shown = await show_passages(state.question, claims, state.documents, context)
    unsaid = changes.keys() - await find_borne_out(changes, shown, context, deciders)
    note(*(f"not used, since no document says it: {changes[name][1]}" for name in unsaid))
    dropped = {edit for (start, _), own in groups if str(start) in unsaid for edit in own}
    return [edit for edit in edits if edit not in dropped]


def corrected_claims(state: Rac, context: ClaimContext) -> list[Claim]:
    """The claims after correction: mended, kept, or left out (equations 8 and 9).

    A claim that is refuted and not mended, or that nothing could judge, is no verified fact.
    """
    texts = {fix.claim: fix.text for fix in state.fixes}
    bad = {"refuted", "unreadable"} | ({"unchecked"} if context.rag else set())
    unfit = {verdict.claim for verdict in state.verdicts if verdict.label in bad} - set(texts)
    mended = [replace(claim, text=texts.get(claim.id, claim.text)) for claim in state.claims]
    return [claim for claim in mended if claim.text and claim.id not in unfit]
