"""Revise the draft by the explanations of its errors, or explain and revise at once (step 3)."""

import re
from asyncio import to_thread
from collections.abc import Sequence

from langgraph.runtime import Runtime

from errata.core.edits import Spans, apply_edits, diff, in_form_of, overlaps
from errata.core.errors import count
from errata.core.records import Edit, Explanation, Fix
from errata.nodes.ask import ask_role
from errata.nodes.reex.evidence import list_answers, list_cited
from errata.nodes.reex.explain import (
    NOT_EXPLAINED,
    errors_found,
    errors_read,
    explain_values,
    explain_without_chat,
    read_explanations,
    read_not_shown,
)
from errata.nodes.reex.state import Reex, ReexContext, by_place, with_claims
from errata.nodes.rewrite import drop_harmful, holds_text, read_revision
from errata.nodes.step import Update, note
from errata.tools.local.changes import Ground, settle
from errata.tools.local.explain import exact_edit
from errata.tools.local.extract import sentence_places
from errata.tools.local.revise import revise as put_fixes_in_place
from errata.tools.local.tidy import tidy
from errata.tools.text.words import content_stems

NOT_REVISED = "the draft was not revised"


async def revise(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Edit the draft by what there is to revise by (tables 3 and 14); a failure leaves it."""
    context = runtime.context
    state = state if state.claims else await with_claims(state, context)
    if not context.by_model("revise"):
        return {"claims": state.claims, "edits": await revise_locally(state)}
    revision, left = state.draft, state.explanations
    if context.revision == "rest":
        revision, left = await to_thread(put_in_place, state)
    lost = NOT_REVISED
    if revision != state.draft:
        lost = f"{count(left, 'explained error', 'was')} left"
    template, values = _template_for(state, context, left)
    if left or not state.explanations:
        values |= {"question": state.question, "draft": revision}
        reply = await ask_role(context, "revise", template, if_failed=lost, **values)
        if holds_text(text := read_revision(reply.text)):
            revision = text
        elif not reply.failure:
            note(f"{lost}: the reply holds no text")
    edits = await tidied(state, context, await to_thread(edits_from, state, revision))
    return {"claims": state.claims, "edits": edits}


def _template_for(
    state: Reex, context: ReexContext, left: Sequence[Explanation]
) -> tuple[str, dict[str, str]]:
    """The template to revise by, and what it shows beside the draft."""
    if context.explanation:
        errors = "\n".join(f"{n}. {e.text}" for n, e in enumerate(left, start=1))
        return "reex/revise", {"errors": errors, "answers": list_cited(state, context, left)}
    if context.evidence != "none":
        return "reex/revise.answers", {"answers": list_answers(state, in_lines=context.in_lines)}
    return "reex/revise.plain", {}


def put_in_place(state: Reex) -> tuple[str, list[Explanation]]:
    """The draft after the changes that explanations word, and the explanations that are left."""
    edits, left = list[Edit](), list[Explanation]()
    known = " ".join([state.question, state.draft, *(d.title for d in state.documents)])
    for explanation in state.explanations:
        edit = exact_edit(state.draft, explanation, known)
        if edit and not overlaps(edit, edits):
            edits.append(edit)
        else:
            left.append(explanation)
    return apply_edits(state.draft, edits), left


async def revise_locally(state: Reex) -> list[Edit]:
    """Put in place what local code proposed; it knows no other errors."""
    draft = (state.question, state.draft, state.claims, state.fixes)
    edits, notes = await to_thread(put_fixes_in_place, *draft)
    note(*notes)
    if unfixed := len(state.explanations) - len(state.fixes):
        note(f"{count(unfixed, 'explained error', 'was')} left: nothing could be put in place")
    return edits


def edits_from(state: Reex, revision: str) -> list[Edit]:
    """The edits that a revision of the draft comes to."""
    if revision == state.draft:
        return []
    edits = diff(state.draft, in_form_of(state.draft, revision))
    return settle(state.draft, edits, sentence_places(state.draft), ground_explanations(state))


async def tidied(state: Reex, context: ReexContext, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that do no harm by what the explanations say, made to leave a readable text."""
    if context.explanation and context.guard and state.documents:
        edits = await to_thread(_without_bare_removals, state, edits)
    known = {claim.id for claim in state.claims}
    pairs = [(claim, e) for e in state.explanations for claim in e.claims if claim in known]
    fixes = [Fix(claim=claim, text=e.text, evidence=e.evidence) for claim, e in pairs]
    ground = (state.claims, fixes, state.documents, context.weights("explain"))
    harmless = await drop_harmful(state, context, edits, *ground)
    tidy_edits, notes = await to_thread(tidy, state.question, state.draft, harmless)
    note(*notes)
    return tidy_edits


def _without_bare_removals(state: Reex, edits: Sequence[Edit]) -> list[Edit]:
    """The edits without those that take out whole sentences in which no error was explained."""
    places, errors = sentence_places(state.draft), by_place(state.explanations)
    kept = []
    for edit in edits:
        gone = [(a, b) for a, b in places if edit.start <= a and b <= edit.end]
        if gone and not edit.after.strip() and not any(errors.touching(*span) for span in gone):
            note(f"“{state.draft[slice(*gone[0])]}” stays: no error was explained in it")
        else:
            kept.append(edit)
    return kept


def ground_explanations(state: Reex) -> list[Ground]:
    """What edits rest on: explanations, each at all of the sentences that it speaks of."""
    sentences = Spans(sentence_places(state.draft), lambda sentence: sentence)
    known = {claim.id for claim in state.claims}
    grounds = []
    for e in state.explanations:
        near = sentences.touching(e.start, max(e.end, e.start + 1)) or [(e.start, e.end)]
        claims = tuple(dict.fromkeys(claim for claim in e.claims if claim in known))
        place = near[0][0], near[-1][1]
        grounds.append(Ground(place, content_stems(e.text), claims, e.evidence, e.text))
    return grounds


_HEADING = re.compile(
    r"^[^\w\n]*(?P<name>factual errors|revised (?:response|answer|draft|text)|not shown(?=\W*:))"
    r"\b[^\w\n\"“]*",
    re.IGNORECASE | re.MULTILINE,
)


async def explain_and_revise(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Have a model do both in one reply; local code does one after the other."""
    context = runtime.context
    state = await with_claims(state, context)
    if update := await explain_without_chat(state, context):
        return {**update, "edits": await revise_locally(state.model_copy(update=update))}
    plain = context.evidence == "none"
    template = "reex/explain_and_revise.plain" if plain else "reex/explain_and_revise"
    values, tag = explain_values(state, context), context.template(template).tag
    reply = await ask_role(context, context.explainer, template, if_failed=NOT_EXPLAINED, **values)
    texts, revision = read_both(reply.text)
    if reply.failure or texts is None:
        if not reply.failure:
            note(f"the reply to {tag} names no errors")
        return {**errors_found(state, None), "edits": []}
    not_shown = read_parts(reply.text).get("not")
    shown = None if not_shown is None else read_not_shown(f"Not shown: {not_shown}")
    update = await errors_read(state, context, texts, shown)
    if texts and not revision:
        note(f"the reply to {tag} holds no revision; the draft stays")
    if not texts or not revision or context.check_only:
        return {**update, "edits": []}
    explained = state.model_copy(update=update)
    edits = await to_thread(edits_from, explained, revision)
    return {**update, "edits": await tidied(explained, context, edits)}


def read_both(reply: str) -> tuple[list[str] | None, str]:
    r"""Explanations and revision, in whatever order; None where the reply speaks of no errors.

    >>> read_both('Factual Errors: None\nRevised Response:\nAll is well.')
    ([], 'All is well.')
    """
    parts = read_parts(reply)
    if not parts.keys() - {"", "not"}:
        return (None if read_explanations(reply) else []), ""
    errors = parts.get("factual", parts[""])
    revision = read_revision(parts.get("revised", ""))
    errors_found = read_explanations(errors) if errors else None
    return errors_found, revision if holds_text(revision) else ""


def read_parts(reply: str) -> dict[str, str]:
    """What stands below each heading, by the heading's first word; before the first one, by ""."""
    headings = list(_HEADING.finditer(reply))
    starts = [0, *(match.end() for match in headings)]
    ends = [*(match.start() for match in headings), len(reply)]
    names = ["", *(match["name"].split()[0].lower() for match in headings)]
    return {n: reply[a:b].strip() for n, a, b in zip(names, starts, ends, strict=True)}
