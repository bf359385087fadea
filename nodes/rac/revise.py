"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from langgraph.runtime import Runtime

from errata.core.edits import Spans, join_edits
from errata.core.errors import count
from errata.core.records import INCONCLUSIVE, Claim, Edit, Verdict, most_go
from errata.nodes.ask import number_lines
from errata.nodes.claims import find_unmended, within_limit
from errata.nodes.decide import Brief, find_supported, show_passages
from errata.nodes.rac.correct import find_fragments, mend_claims
from errata.nodes.rac.state import ClaimContext, Rac, rewrites
from errata.nodes.rewrite import Line, rewrite_draft, rewrite_lines
from errata.nodes.step import Update, note
from errata.tools.local.changes import ground_fixes, group_edits, keep_to_grounds, settle
from errata.tools.local.extract import sentence_places
from errata.tools.local.guard import guard
from errata.tools.local.hedge import hedge
from errata.tools.local.revise import mend_draft, repeat_mends, say_left, unsound_places
from errata.tools.local.tidy import tidy
from errata.tools.text.language import detect_foreign_draft


async def revise(state: Rac, runtime: Runtime[ClaimContext]) -> Update:
    """Edit the draft, and mark what has no support if the run says so."""
    context = runtime.context
    edits = await rewrite_sentences(state, context) if rewrites(state, context) else []
    if not context.marks:
        return {"edits": edits}
    wrong = {claim.id for claim in find_unmended(state.claims, state.verdicts, edits)}
    doubted = {v.claim: v for v in state.verdicts if v.label in INCONCLUSIVE or v.claim in wrong}
    edits, notes = await to_thread(hedge, state.draft, edits, state.claims, doubted)
    note(*notes)
    return {"edits": edits}


async def rewrite_sentences(state: Rac, context: ClaimContext) -> list[Edit]:
    """The edits that the fixes come to; a failure leaves the draft as it was."""
    removed = {fix.claim for fix in state.fixes if not fix.text}
    if most_go(len(removed), len(state.claims)):
        note(f"most of the draft has no support: {len(removed)} of {count(state.claims, 'claim')}")
    by_model = context.by_model("revise")
    fragments = await to_thread(find_fragments, state)
    if by_model and context.revision == "draft":
        edits = await _rewrite_whole(state, context, removed)
    else:
        edits = await _mend_sentences(state, context, fragments, by_model=by_model)
    ground = (sentence_places(state.draft), ground_fixes(state.claims, state.fixes))
    if by_model and context.guard:
        edits = await to_thread(keep_to_grounds, edits, *ground)
    edits = await to_thread(settle, state.draft, edits, *ground)
    if by_model:
        edits = await _keep_harmless(state, context, edits, removed)
    clean = [fix for fix in state.fixes if fix.text not in fragments]
    edits += await to_thread(list, repeat_mends(state.draft, state.claims, clean, edits))
    unsound = unsound_places(state.claims, state.fixes, state.verdicts)
    edits, notes = await to_thread(tidy, state.question, state.draft, edits, unsound)
    note(*notes)
    return edits


async def _keep_harmless(
    state: Rac, context: ClaimContext, edits: list[Edit], removed: Set[str]
) -> list[Edit]:
    """The edits without a model's that do harm, each of which is noted."""
    if left := sorted(removed - {claim for edit in edits for claim in edit.claims}):
        note(f"the rewriting left what has no support where it was: {', '.join(left)}")
    if not context.guard:
        return edits
    if not await to_thread(detect_foreign_draft, state.draft):
        edits, drops = await to_thread(_guard, state, context, edits)
        note(*drops)
    return await _keep_said(state, context, edits)


async def _rewrite_whole(state: Rac, context: ClaimContext, removed: Set[str]) -> list[Edit]:
    """A model's rewriting of the whole draft, as in the paper, told what has to go."""
    values = {
        "question": state.question,
        "claims": number_lines(c.text for c in corrected_claims(state, context)),
        "errors": number_lines(c.text for c in state.claims if c.id in removed),
    }
    template = "rac/revise.short" if context.answers == "short" else "rac/revise"
    if removed:
        template = "rac/revise.drop"
    return await rewrite_draft(context, "revise", template, state.draft, **values)


async def _mend_sentences(
    state: Rac, context: ClaimContext, fragments: Mapping[str, str], *, by_model: bool
) -> list[Edit]:
    """The sentences that hold fixed claims, mended by code; the others by a model in one call."""
    fixed, texts = {fix.claim for fix in state.fixes}, await to_thread(mend_claims, state, context)
    named = [fix.claim for fix in state.fixes if fix.text and texts.get(fix.claim) == fix.text]
    mends = {name: state.mends[name] for name in named}
    known = (state.claims, state.fixes, state.verdicts, mends)
    edits, left, notes = await to_thread(mend_draft, state.draft, *known)
    note(*notes)
    if not by_model:
        note(*say_left(left))
        return edits
    facts = Spans(corrected_claims(state, context), lambda claim: (claim.start, claim.start + 1))
    lines = list[Line]()
    for start, end, claims, _ in left:
        errors = tuple(claim.text for claim in claims if claim.id in fixed)
        true = tuple(fragments.get(c.text, c.text) for c in facts.touching(start, end))
        may_go = context.drops and len(errors) == len(claims)
        lines.append(Line(start, end, true, errors, may_go))
    given = ("rac/revise.sentence", state.question, state.draft, lines)
    written = await rewrite_lines(context, *given)
    # Where a model mended a sentence, what code made of a part of it goes.
    made = Spans(written, lambda edit: (edit.start, edit.end + 1))
    done = [(line.start, line.end) for line in lines if made.touching(line.start, line.end)]
    mended = Spans(done, lambda place: place)
    return written + [e for e in edits if not mended.touching(e.start, e.end + 1)]


def _guard(
    state: Rac, context: ClaimContext, edits: Sequence[Edit]
) -> tuple[list[Edit], list[str]]:
    """The edits without harmful ones; sentences that nothing speaks against have to stay."""
    draft = state.draft
    judged = [v for v in state.verdicts if v.label not in ("unchecked", "unreadable")]
    against = {fix.claim for fix in state.fixes}
    against |= {verdict.claim for verdict in judged if verdict.label == "refuted"}
    disputed = Spans((c for c in state.claims if c.id in against), lambda c: (c.start, c.start + 1))
    stay = [
        Claim(id=f"at {start}", text=draft[start:end], start=start, end=end)
        for start, end in (sentence_places(draft) if judged else ())
        if not disputed.touching(start, end)
    ]
    judged += [Verdict(claim=claim.id, label="supported") for claim in stay]
    claims, weights = [*state.claims, *stay], context.weights("verify")
    ground = (claims, state.fixes, state.documents, weights, judged)
    return guard(state.question, draft, edits, *ground)


async def _keep_said(state: Rac, context: ClaimContext, edits: Sequence[Edit]) -> list[Edit]:
    """Drop a model's revision of a sentence that a decision model finds in no document."""
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
    _, shown = await show_passages(Brief(state.question, claims, state.documents), context)
    unsaid = changes.keys() - await find_supported(changes, shown, context, deciders)
    note(*(f"not used, since no document says it: {changes[name][1]}" for name in unsaid))
    dropped = {edit for (start, _), own in groups if str(start) in unsaid for edit in own}
    return [edit for edit in edits if edit not in dropped]


def corrected_claims(state: Rac, context: ClaimContext) -> list[Claim]:
    """The claims that are facts after correction: mended, kept, or left out (equations 8 and 9)."""
    texts = {fix.claim: fix.text for fix in state.fixes}
    bad = {"refuted", "unreadable"} | ({"unchecked"} if context.rag else set())
    unfit = {verdict.claim for verdict in state.verdicts if verdict.label in bad} - set(texts)
    mended = [replace(claim, text=texts.get(claim.id, claim.text)) for claim in state.claims]
    return [claim for claim in mended if claim.text and claim.id not in unfit]
