"""Revise the draft by the explanations of its errors (section 2, step 3)."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.edits import diff
from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, spent
from errata.nodes.reex.explain import listed
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.shared.report import read_revision
from errata.nodes.step import step
from errata.records import Claim, Edit, Explanation, Fix, Usage
from errata.tools.local.guard import guard
from errata.tools.local.revise import revise as local
from errata.tools.text.language import detect_foreign_language
from errata.tools.text.sentences import split_sentences


class Revised(TypedDict):
    """Add the edits."""

    edits: list[Edit]
    usage: Usage
    notes: list[str]


@step
async def revise(state: Reex, runtime: Runtime[ReexContext]) -> Revised:
    """Edit the draft; a failure leaves it as it was."""
    context = settings(runtime)
    model = context.filler("revise")
    if model is None:
        return await revised_locally(state)
    part = (
        wrong(state) if context.revision == "sentences" and state.explanations else [whole(state)]
    )
    shown = "\n".join(state.draft[a:b] for a, b in part)
    name, values = template(state, context)
    try:
        reply = await asked(context, model, "revise", name, **values, draft=shown)
    except (ChatError, ReplyError) as error:
        return {
            "edits": [],
            "usage": spent(error),
            "notes": [f"the draft was not revised: {error}"],
        }
    edits, notes = edited(state, part, read_revision(reply.text))
    edits, dropped = await kept(state, context, edits)
    return {"edits": edits, "usage": reply.usage, "notes": [*notes, *dropped]}


async def revised_locally(state: Reex) -> Revised:
    """Put in place what the local filler of explain found; it knows no other errors."""
    edits, notes = await to_thread(local, state.question, state.draft, state.claims, state.fixes)
    unfixed = len(state.explanations) - len(state.fixes)
    if unfixed:
        notes.append(f"{unfixed} explained errors have nothing that could be put in their place")
    return {"edits": edits, "usage": Usage(), "notes": notes}


def template(state: Reex, context: ReexContext) -> tuple[str, Mapping[str, str]]:
    """Choose the prompt by what there is to revise by (tables 3 and 14)."""
    values = {"question": state.question}
    if context.explanation:
        errors = "\n".join(f"{n}. {e.text}" for n, e in enumerate(state.explanations, start=1))
        return "reex/revise.v1", values | {"errors": errors}
    if context.evidence != "none":
        return "reex/revise.answers.v1", values | {"answers": listed(state)}
    return "reex/revise.plain.v1", values


def wrong(state: Reex) -> list[tuple[int, int]]:
    """Give the sentences of the draft that hold explained errors."""
    errors = state.explanations
    return [
        (a, b)
        for a, b in split_sentences(state.draft)
        if any(e.start < b and a < e.end for e in errors)
    ]


def whole(state: Reex) -> tuple[int, int]:
    """Give the draft as one stretch."""
    return 0, len(state.draft)


def edited(
    state: Reex, part: Sequence[tuple[int, int]], revision: str
) -> tuple[list[Edit], list[str]]:
    """Turn the revision of a part of the draft into edits; none where it has other sentences."""
    lines = [line.strip() for line in revision.splitlines() if line.strip()]
    if len(part) > 1 and len(lines) != len(part):
        lines = [revision[a:b] for a, b in split_sentences(revision)]
    texts = [revision] if len(part) == 1 else lines
    if len(texts) != len(part):
        note = f"the draft was not revised: {len(part)} sentences were sent, {len(texts)} came back"
        return [], [note]
    edits = [
        edit
        for (start, end), text in zip(part, texts, strict=True)
        for edit in diff(state.draft[start:end], text, start)
    ]
    spans = split_sentences(state.draft)
    return [tied(edit, state, spans) for edit in edits], []


async def kept(
    state: Reex, context: ReexContext, edits: Sequence[Edit]
) -> tuple[list[Edit], list[str]]:
    """Drop edits that do harm, where the run says so."""
    guards = context.guard and bool(state.documents)
    if not guards or (await to_thread(detect_foreign_language, state.draft)) != "":
        return list(edits), []
    mended = [
        Fix(claim=claim.id, text=e.text) for e in state.explanations for claim in _under(e, state)
    ]
    ground = (state.claims, mended, state.documents, context.weights("explain"))
    return await to_thread(guard, state.question, state.draft, edits, *ground)


def tied(edit: Edit, state: Reex, spans: Sequence[tuple[int, int]]) -> Edit:
    """Tie an edit to the explanations of the sentence it touches."""
    near = next(((a, b) for a, b in spans if a <= edit.start < b), None)
    start, end = near or (edit.start, edit.end)
    mine = [e for e in state.explanations if e.start < max(end, edit.end) and start < e.end]
    return replace(
        edit,
        claims=tuple(dict.fromkeys(claim.id for e in mine for claim in _under(e, state))),
        evidence=tuple(dict.fromkeys(quote for e in mine for quote in e.evidence)),
        explanation="; ".join(dict.fromkeys(e.text for e in mine)),
    )


def _under(explanation: Explanation, state: Reex) -> list[Claim]:
    return [claim for claim in state.claims if claim.id in explanation.claims]
