"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace

from errata.core.edits import Span, Spans
from errata.core.errors import count
from errata.core.records import Claim, Edit, Verdict, most_go
from errata.nodes.ask import number_claims
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.rewrite import Line, reread_text, rewrite_draft, rewrite_lines
from errata.nodes.step import Update, step
from errata.tools.local.changes import ground_fixes, settle
from errata.tools.local.extract import sentence_places
from errata.tools.local.guard import guard
from errata.tools.local.revise import claim_spans, unsound_places
from errata.tools.local.revise import revise as revise_locally
from errata.tools.local.tidy import tidy
from errata.tools.text.language import detect_foreign_draft

REREAD = "rac/revise.reread"


@step
async def revise(state: Rac, context: RacContext) -> Update:
    """Edit the draft; a failure leaves it as it was."""
    removals = sum(not fix.text for fix in state.fixes)
    if most_go(removals, len(state.claims)):
        note(f"most of the draft has no support: {removals} of {count(state.claims, 'claim')}")
    if context.model_for("revise") is None:
        draft = (state.question, state.draft, state.claims, state.fixes, state.verdicts)
        edits, notes = await to_thread(revise_locally, *draft)
        note(*notes)
        return {"edits": await reread_text(state, context, edits, REREAD)}
    rewrite = _rewrite_sentences if context.revision == "sentences" else _rewrite_whole
    edits = await rewrite(state, context)
    grounds = ground_fixes(state.claims, state.fixes)
    edits = await to_thread(settle, state.draft, edits, sentence_places(state.draft), grounds)
    if left := _left_standing(state, edits):
        note(f"the rewriting left what has no support where it was: {', '.join(left)}")
    if context.guard and not await to_thread(detect_foreign_draft, state.draft):
        edits, drops = await to_thread(_guard, state, context, edits)
        note(*drops)
    unsound = unsound_places(state.claims, state.fixes, state.verdicts)
    edits, notes = await to_thread(tidy, state.question, state.draft, edits, unsound)
    note(*notes)
    return {"edits": await reread_text(state, context, edits, REREAD)}


async def _rewrite_whole(state: Rac, context: RacContext) -> list[Edit]:
    """A model's rewriting of the whole draft, as in the paper, told what has to go."""
    removed = _removed(state)
    values = {
        "question": state.question,
        "claims": number_claims(corrected_claims(state, context)),
        "errors": number_claims(claim for claim in state.claims if claim.id in removed),
    }
    template = "rac/revise.short" if context.answers == "short" else "rac/revise"
    if removed:
        template = "rac/revise.drop"
    return await rewrite_draft(context, "revise", template, state.draft, **values)


def _removed(state: Rac) -> set[str]:
    """The claims that are to go."""
    return {fix.claim for fix in state.fixes if not fix.text}


def _left_standing(state: Rac, edits: Sequence[Edit]) -> list[str]:
    """The claims that were to go and that no edit rests on."""
    return sorted(_removed(state) - {claim for edit in edits for claim in edit.claims})


async def _rewrite_sentences(state: Rac, context: RacContext) -> list[Edit]:
    """A model's rewriting of the sentences that hold fixed claims, all in one call.

    A sentence all of whose claims should go does so without a call.
    """
    removed, fixed = _removed(state), {fix.claim for fix in state.fixes}
    claims = Spans(state.claims, _beginning)
    facts = Spans(corrected_claims(state, context), _beginning)
    edits, lines = list[Edit](), list[Line]()
    for start, end in _sentences_to_mend(state):
        own = claims.touching(start, end)
        if all(claim.id in removed for claim in own):
            before = state.draft[start:end]
            edits.append(Edit(start=start, end=end, before=before, after=""))
        else:
            errors = tuple(claim.text for claim in own if claim.id in fixed)
            true = tuple(claim.text for claim in facts.touching(start, end))
            lines.append(Line(start, end, true, errors))
    template = "rac/revise.sentence"
    return edits + await rewrite_lines(context, template, state.question, state.draft, lines)


def _sentences_to_mend(state: Rac) -> list[Span]:
    """Where sentences with fixed claims stand; a claim without a place of its own is noted."""
    fixed = {fix.claim for fix in state.fixes}
    claims = [claim for claim in state.claims if claim.id in fixed]
    whole = len(sentence_places(state.draft)) > 1
    lost = [c for c in claims if whole and (c.start, c.end) == (0, len(state.draft))]
    note(*(f"claim {c.id}: its words were not found in the draft; left as it was" for c in lost))
    return claim_spans([claim for claim in claims if claim not in lost])


def _beginning(claim: Claim) -> Span:
    return claim.start, claim.start + 1


def _guard(state: Rac, context: RacContext, edits: Sequence[Edit]) -> tuple[list[Edit], list[str]]:
    """Drop harmful revisions of sentences; make the smallest local edits instead."""
    judged = [v for v in state.verdicts if v.label not in ("unchecked", "unreadable")]
    stay = _undisputed(state) if judged else []
    judged += [Verdict(claim=claim.id, label="supported") for claim in stay]
    claims, weights = [*state.claims, *stay], context.weights("verify")
    ground = (claims, state.fixes, state.documents, weights, judged)
    harmless, notes = guard(state.question, state.draft, edits, *ground)
    spoiled = {claim for edit in set(edits) - set(harmless) for claim in edit.claims}
    unmended = [f for f in state.fixes if f.text and f.claim in spoiled]
    smaller, _ = revise_locally(state.question, state.draft, state.claims, unmended)
    kept = Spans(harmless, lambda edit: (edit.start, edit.end))
    return harmless + [e for e in smaller if not kept.touching(e.start, e.end)], notes


def _undisputed(state: Rac) -> list[Claim]:
    """The sentences that no fix and no verdict speaks against, as claims: they have to stay."""
    against = {fix.claim for fix in state.fixes}
    against |= {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    disputed = Spans([claim for claim in state.claims if claim.id in against], _beginning)
    places = [place for place in sentence_places(state.draft) if not disputed.touching(*place)]
    texts = [(start, end, state.draft[start:end]) for start, end in places]
    return [Claim(id=f"at {start}", text=text, start=start, end=end) for start, end, text in texts]


def corrected_claims(state: Rac, context: RacContext) -> list[Claim]:
    """The claims after correction: mended, kept, or left out (equations 8 and 9).

    A claim that is refuted and not mended, or that nothing could judge, is no verified fact.
    """
    texts = {fix.claim: fix.text for fix in state.fixes}
    bad = {"refuted", "unreadable"} | ({"unchecked"} if context.rag else set())
    unfit = {verdict.claim for verdict in state.verdicts if verdict.label in bad} - set(texts)
    mended = [replace(claim, text=texts.get(claim.id, claim.text)) for claim in state.claims]
    return [claim for claim in mended if claim.text and claim.id not in unfit]
