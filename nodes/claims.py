"""A draft's claims: splitting a draft into them, judging and correcting them."""

import re
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from errata.core.edits import Span, Spans
from errata.core.errors import count
from errata.core.limits import cache_in_bounds
from errata.core.records import Claim, Document, Edit, Fix, ResponseLabel, Verdict, VerdictLabel
from errata.core.words import places_of
from errata.nodes.ask import INSTEAD, ask_all, ask_in_batches, ask_role, read_claims, read_questions
from errata.nodes.context import Context
from errata.nodes.decide import Brief, verify_by_decisions
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import in_thread_or, note
from errata.tools.judges.hub_verifier import verify_by_hub
from errata.tools.judges.verifier import NO_DOCUMENT, OTHER_LANGUAGE, attach_quotes, verify
from errata.tools.local.correct import correct
from errata.tools.local.extract import extract, place_claims
from errata.tools.local.hedge import is_mark
from errata.tools.text.citations import strip_marks
from errata.tools.text.language import detect_foreign_draft


async def split_into_claims(state: CorrectionState, context: CorrectionContext) -> list[Claim]:
    """The draft's claims, by local code unless a model is named or the language needs one."""
    is_named = "extract" in {*context.roles, *context.prompts}
    if is_named or bool(await to_thread(detect_foreign_draft, state.draft)):
        return await split_by_model(state, context, "rac/extract")
    return await split_locally(state)


async def split_by_model(
    state: CorrectionState, context: CorrectionContext, template: str
) -> list[Claim]:
    """The draft's claims, each with its sentence's place; local code's if a model fails."""
    if context.by_model("extract"):
        consequence = "local code split the draft into claims"
        values = {"question": state.question, "draft": state.draft}
        reply = await ask_role(context, "extract", template, if_failed=consequence, **values)
        if not reply.failure:
            return await to_thread(place_claims, state.draft, read_claims(reply.text))
    return await split_locally(state)


async def split_locally(state: CorrectionState) -> list[Claim]:
    """The draft's claims as local code finds them."""
    return [*await to_thread(extract_claims, state.question, state.draft)]


@cache_in_bounds(8)
def extract_claims(question: str, draft: str) -> tuple[Claim, ...]:
    """The claims that local code finds, kept for all steps of a run."""
    return tuple(extract(question, draft, detect_foreign_draft(draft) or "en"))


async def ask_questions(
    state: CorrectionState, context: CorrectionContext, template: str, sets: int = 1, **further: str
) -> list[str]:
    """A model's questions, each once, from `sets` replies; a note if none holds one."""
    if not context.by_model("ask"):
        return []
    values = {"question": state.question, "draft": state.draft, **further}
    missing = INSTEAD if sets == 1 else f"a set of questions is missing of {sets}"
    replies = await ask_all(context, "ask", template, [values] * sets, [missing] * sets)
    questions = read_questions("\n".join(reply.text for reply in replies))
    if not questions and not all(reply.failure for reply in replies):
        note(f"{INSTEAD}: no reply to {context.template(template).tag} holds a question")
    return questions


def abstention(language: str) -> str:
    """Why a draft in another language was not judged."""
    return f"local code reads English; this draft looks like {language!r} and was not judged"


def unchecked(claims: Sequence[Claim], explanation: str = "") -> list[Verdict]:
    """The verdicts on claims that nothing judged."""
    return [Verdict(claim=c.id, label="unchecked", explanation=explanation) for c in claims]


def within_limit(
    claims: Sequence[Claim], context: CorrectionContext
) -> tuple[Sequence[Claim], list[Verdict]]:
    """The claims that a run may check, and the verdicts on the others, whose number is noted."""
    limit = context.deployment.max_claims
    if over := claims[limit:]:
        note(f"{count(over, 'claim', 'was')} not checked: over max_claims={limit}")
    return claims[:limit], unchecked(over, "over max_claims")


def overrule(
    verdicts: Sequence[Verdict], labels: Collection[VerdictLabel], said: str
) -> list[Verdict]:
    """The verdicts; those with some labels, not confirmed as errors, become disputed."""
    return [
        replace(verdict, label="disputed", explanation=said) if verdict.label in labels else verdict
        for verdict in verdicts
    ]


def find_unmended(
    claims: Sequence[Claim], verdicts: Sequence[Verdict], edits: Sequence[Edit]
) -> list[Claim]:
    """The refuted claims that stay: no edit names them or replaces their sentence."""
    edits = [edit for edit in edits if not is_mark(edit)]
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    refuted -= {claim for edit in edits for claim in edit.claims}
    places = Spans(edits, lambda edit: (edit.start, edit.end))
    return [
        claim
        for claim in claims
        if claim.id in refuted
        and not any(
            not edit.claims or (edit.start <= claim.start and claim.end <= edit.end)
            for edit in places.touching(claim.start, claim.end)
        )
    ]


def keep_allowed(
    state: CorrectionState, edits: Sequence[Edit], *, extractive: bool = False
) -> list[Edit]:
    """The edits of nothing protected, if `extractive` in quoted words; others are noted."""
    places, kept = find_protected(state.draft, state.protected), list[Edit]()
    for edit in edits:
        new = strip_marks(edit.after).strip() if extractive else ""
        # An insertion changes a text only inside it.
        if any(edit.start < end and start < edit.end for start, end in places):
            why = "it is protected"
        elif new and not any(places_of(new, quote.text) for quote in edit.evidence):
            why = "no quote has its words"
        else:
            kept.append(edit)
            continue
        note(f"the edit of {edit.before!r} to {edit.after!r} was refused: {why}")
    return kept


def find_protected(draft: str, protected: Iterable[tuple[int, int] | str]) -> list[Span]:
    """Where the protected texts and stretches of a draft stand."""
    places = list[Span]()
    for each in protected:
        if isinstance(each, str):
            found = re.finditer(f"(?={re.escape(each)})", draft) if each else ()
            places += [(match.start(), match.start() + len(each)) for match in found]
        else:
            places.append(each)
    return places


def label_for(verdicts: Sequence[Verdict]) -> ResponseLabel:
    """The worst label of all verdicts; supported if all are, unchecked if none was judged."""
    labels = {verdict.label for verdict in verdicts}
    if labels <= {"unreadable", "unchecked"}:
        return "unchecked"
    worst: tuple[ResponseLabel, ...] = ("refuted", "conflicting", "disputed")
    for label in worst:
        if label in labels:
            return label
    return "supported" if labels == {"supported"} else "not_mentioned"


async def judge_locally(
    state: CorrectionState,
    context: CorrectionContext,
    role: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
) -> list[Verdict]:
    """A verdict on each claim by the local verifier, or by the checkpoint that the role names."""
    if not (claims and documents):
        return unchecked(claims, NO_DOCUMENT)
    language = await to_thread(detect_foreign_draft, state.draft)
    if language and not (context.checkpoint(role) or context.deciders(role)):
        note(f"{len(claims)} claims not judged: {OTHER_LANGUAGE} {language!r}")
    return await judge_by_code(Brief(state.question, claims, documents), context, role, language)


async def judge_by_code(
    brief: Brief, context: Context, role: str, language: str = "", place: Literal[0, 1] = 0
) -> list[Verdict]:
    """Verdicts by a decision model or a checkpoint, or by the local verifier of English."""
    if deciders := context.deciders(role, place):
        return await verify_by_decisions(brief, context, deciders)
    if checkpoint := context.checkpoint(role, place):
        verdicts = await to_thread(verify_by_hub, checkpoint, brief.claims, brief.documents)
        return await to_thread(attach_quotes, brief.claims, verdicts, brief.documents)
    if language:
        return unchecked(brief.claims, f"{OTHER_LANGUAGE} {language!r}")
    return await to_thread(verify, *brief, context.weights(role))


async def judge_in_batches(
    context: Context,
    template: str,
    claims: Sequence[Claim],
    size: int,
    judge: Callable[[Sequence[Claim], bool], Awaitable[Mapping[Claim, Verdict]]],
) -> list[Verdict]:
    """What `judge` says of claims, many in a reply; what it leaves out is asked once more."""
    verdicts = dict[Claim, Verdict]()

    async def readable(batch: Sequence[Claim]) -> dict[Claim, Verdict]:
        found = await judge(batch, verdicts.keys() >= {*batch})
        verdicts.update(found)
        return {claim: own for claim, own in found.items() if own.label != "unreadable"}

    judged = await ask_in_batches(readable, claims, size)
    if left_out := len(claims) - len(judged):
        tag = context.template(template).tag
        note(f"the reply to {tag} held no verdict for {count(left_out, 'claim')}")
    return [verdicts[claim] for claim in claims]


async def correct_locally(
    state: CorrectionState, context: CorrectionContext, role: str, claims: Sequence[Claim]
) -> list[Fix]:
    """Local code's corrections of some claims; none if the run's time is over first."""
    others = [claim for claim in state.claims if claim not in claims]
    known = (state.question, claims, state.documents, context.weights(role), others)
    return await in_thread_or([], "no claim was corrected", correct, *known)
