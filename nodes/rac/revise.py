"""Rewrite the draft by the corrected claims (sections 3.5 and 4.4)."""

import re
from asyncio import gather, to_thread
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from errata.edits import diff, in_form_of
from errata.nodes.ask import ask, number_claims
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.report import read_revision
from errata.nodes.shared.rewrite import Revised, rewrite_draft
from errata.nodes.step import step
from errata.records import Claim, Edit, Fix, most_go
from errata.spans import Span, Spans
from errata.tools.local.guard import guard
from errata.tools.local.revise import claim_spans, unsound_places
from errata.tools.local.revise import revise as revise_locally
from errata.tools.local.tidy import tidy
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.sentences import split_sentences

_BULLET = re.compile(r"\A(?:[-*•#>]+|\d{1,3}[.)])\s+")


@step
async def revise(state: Rac, context: RacContext) -> Revised:
    """Edit the draft; a failure leaves it as it was."""
    removals = sum(not fix.text for fix in state.fixes)
    if most_go(removals, len(state.claims)):
        note(f"most of the draft has no support: {removals} of {len(state.claims)} claims")
    if context.model_for("revise") is None:
        draft = (state.question, state.draft, state.claims, state.fixes, state.verdicts)
        edits, notes = await to_thread(revise_locally, *draft)
        note(*notes)
        return {"edits": edits}
    rewrite = _rewrite_sentences if context.revision == "sentences" else _rewrite_whole
    edits = await rewrite(state, context)
    if context.guard and not await to_thread(detect_foreign_draft, state.draft):
        edits, drops = await to_thread(_guard, state, context, edits)
        note(*drops)
    unsound = unsound_places(state.claims, state.fixes, state.verdicts)
    edits, notes = await to_thread(tidy, state.question, state.draft, edits, unsound)
    note(*notes)
    return {"edits": edits}


async def _rewrite_whole(state: Rac, context: RacContext) -> list[Edit]:
    """A model's rewriting of the whole draft, as in the paper."""
    template = "rac/revise.short" if context.answers == "short" else "rac/revise"
    facts = number_claims(corrected_claims(state, context))
    values = {"question": state.question, "claims": facts}
    edits = await rewrite_draft(context, "revise", template, state.draft, **values)
    grounds = _fixes_by_place(state)
    return [_tie(edit, grounds) for edit in edits]


class _Sentence(NamedTuple):
    """A sentence that holds fixed claims, with its claims as they were and as they should be."""

    start: int
    end: int
    claims: Sequence[Claim]
    facts: Sequence[Claim]


async def _rewrite_sentences(state: Rac, context: RacContext) -> list[Edit]:
    """A model's rewriting of each sentence that holds fixed claims, all at once."""
    fixes = {fix.claim: fix for fix in state.fixes}
    spans = claim_spans([claim for claim in state.claims if claim.id in fixes])
    claims = Spans(state.claims, _beginning)
    facts = Spans(corrected_claims(state, context), _beginning)
    sentences = (_Sentence(*s, claims.touching(*s), facts.touching(*s)) for s in spans)
    parts = await gather(*(_rewrite_sentence(state, context, s, fixes) for s in sentences))
    grounds = _fixes_by_place(state)
    return [_tie(edit, grounds) for part in parts for edit in part]


def _beginning(claim: Claim) -> Span:
    return claim.start, claim.start + 1


async def _rewrite_sentence(
    state: Rac, context: RacContext, sentence: _Sentence, fixes: Mapping[str, Fix]
) -> list[Edit]:
    """A model's rewriting of one sentence; it goes whole where all its claims should go."""
    start, end, claims, facts = sentence
    before = state.draft[start:end]
    if all(claim.id in fixes and not fixes[claim.id].text for claim in claims):
        return [Edit(start=start, end=end, before=before, after="")]
    text = _BULLET.sub("", before)
    values = {
        "question": state.question,
        "draft": text,
        "claims": number_claims(facts),
        "errors": number_claims(claim for claim in claims if claim.id in fixes),
    }
    consequence = f"the sentence at {start} was not revised"
    reply = await ask(context, "revise", "rac/revise.sentence", if_failed=consequence, **values)
    if reply.failure:
        return []
    revision = read_revision(reply.text)
    if len(split_sentences(revision)) > len(split_sentences(text)):
        note(f"{consequence}: the reply holds more than that sentence")
        return []
    return diff(text, in_form_of(text, revision), end - len(text))


def _guard(state: Rac, context: RacContext, edits: Sequence[Edit]) -> tuple[list[Edit], list[str]]:
    """Drop harmful edits; make the minimal local edit instead."""
    ground = (state.claims, state.fixes, state.documents, context.weights("verify"))
    harmless, notes = guard(state.question, state.draft, edits, *ground)
    spoiled = {claim for edit in set(edits) - set(harmless) for claim in edit.claims}
    unmended = [f for f in state.fixes if f.text and f.claim in spoiled]
    smaller, _ = revise_locally(state.question, state.draft, state.claims, unmended)
    kept = Spans(harmless, lambda edit: (edit.start, edit.end))
    return harmless + [e for e in smaller if not kept.touching(e.start, e.end)], notes


def corrected_claims(state: Rac, context: RacContext) -> list[Claim]:
    """The claims after correction: mended, kept, or left out (equations 8 and 9).

    A claim that is refuted and not mended, or that nothing could judge, is no verified fact.
    """
    texts = {fix.claim: fix.text for fix in state.fixes}
    bad = {"refuted", "unreadable"} | ({"unchecked"} if context.rag else set())
    unfit = {verdict.claim for verdict in state.verdicts if verdict.label in bad} - set(texts)
    mended = [replace(claim, text=texts.get(claim.id, claim.text)) for claim in state.claims]
    return [claim for claim in mended if claim.text and claim.id not in unfit]


def _fixes_by_place(state: Rac) -> Spans[Fix]:
    """The fixes, each at the sentence of its claim."""
    places = {claim.id: (claim.start, claim.end) for claim in state.claims}
    return Spans((fix for fix in state.fixes if fix.claim in places), lambda f: places[f.claim])


def _tie(edit: Edit, fixes: Spans[Fix]) -> Edit:
    """The edit with the fixes that it rests on: those of claims whose sentence it touches."""
    grounds = fixes.touching(edit.start, max(edit.end, edit.start + 1))
    return replace(
        edit,
        claims=tuple(fix.claim for fix in grounds),
        evidence=tuple(dict.fromkeys(quote for fix in grounds for quote in fix.evidence)),
        explanation="; ".join(dict.fromkeys(f.explanation for f in grounds if f.explanation)),
    )
