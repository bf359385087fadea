"""The two ends of a correction: take the request, hand out the response."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.runtime import Runtime

from errata.core.edits import Spans, apply_edits, compose
from errata.core.errors import InputError, OutOfTimeError, count
from errata.core.jsonable import to_json
from errata.core.limits import note_undone
from errata.core.records import Claim, Document, ResponseLabel, Skipped
from errata.nodes.citing import as_message, find_citations, mark_correction
from errata.nodes.claims import find_unmended, keep_allowed, label_for
from errata.nodes.state import NAME, CorrectionContext, CorrectionState
from errata.nodes.step import Update, note
from errata.render.text import describe_skipped
from errata.tools.files.decoding import without_surrogates
from errata.tools.retrieval.filters import assign_ids
from errata.tools.retrieval.langchain import add_tool_results
from errata.tools.text.questions import asks
from errata.tools.text.unclaimed import find_unclaimed

_WORD = re.compile(r"\w")


async def receive(state: CorrectionState, runtime: Runtime[CorrectionContext]) -> Update:
    """Take question, draft and documents, and what the chat's tools returned.

    Raises InputError if there is no draft, and no question that the method writes one to.
    """
    context = runtime.context
    question, draft = read_chat(state.messages) or (state.question, state.draft)
    if question and not draft and state.messages and not asks(question):
        question, draft = "", question
        note("the message was taken for a draft to check, since it states rather than asks")
    if not draft.strip():
        draft = ""
        if "generate" not in context.ROLES:
            raise InputError(
                f"the draft is empty; {context.method_name()} corrects a text that is there: "
                "give one"
            )
        if not question.strip():
            raise InputError("the draft is empty and so is the question; give at least one of them")
    places = (each for each in state.protected if not isinstance(each, str))
    if wrong := [place for place in places if not 0 <= place[0] <= place[1] <= len(draft)]:
        fault = f"is no stretch of the draft, which has {len(draft)} characters"
        raise InputError(f"protected: {wrong[0]} {fault}")
    documents = add_tool_results(state.documents, state.messages)
    return {
        "question": whole_characters(question),
        "draft": whole_characters(draft),
        "documents": readable(documents, context.deployment.max_documents),
    }


def read_chat(messages: Sequence[AnyMessage]) -> tuple[str, str] | None:
    """Question and draft from a chat; None if its last message is ours, or there is none."""
    last = messages[-1] if messages else None
    if isinstance(last, HumanMessage):
        return str(last.text), ""
    if isinstance(last, AIMessage) and last.name != NAME:
        people = [message for message in messages if isinstance(message, HumanMessage)]
        return (str(people[-1].text) if people else ""), str(last.text)
    return None


def whole_characters(text: str) -> str:
    """The text without lone surrogates, which no file, model or screen takes; noted if any."""
    whole = without_surrogates(text)
    if whole != text:
        note_undone("lone surrogates, which are no characters, were replaced by U+FFFD")
    return whole


def readable(documents: Sequence[Document], limit: int) -> list[Document]:
    """The given documents that hold a word, with ids; at most `limit`, and a note on the others."""
    texts = [d for d in documents if d.source == "given" and _WORD.search(d.text)]
    if len(texts) < len(documents):
        note("documents without a word were left out")
    if len(texts) > limit:
        note(f"{count(len(texts) - limit, 'document', 'was')} left out: max_documents={limit}")
    whole: list[dict[str, Any]] = [
        {n: whole_characters(x) if isinstance(x, str) else x for n, x in vars(document).items()}
        for document in texts[:limit]
    ]
    return assign_ids(Document(**fields) for fields in whole)


async def report(state: CorrectionState, runtime: Runtime[CorrectionContext]) -> Update:
    """Apply the edits, and sum up the verdicts."""
    return await to_thread(hand_out, state, runtime.context, label_for(state.verdicts))


def hand_out(state: CorrectionState, context: CorrectionContext, label: ResponseLabel) -> Update:
    """The result of a run; a check hands out the draft, whatever edits a step proposed."""
    edits = [] if context.check_only else keep_allowed(state, state.edits)
    skipped = _skipped(state)
    _note_unchecked(state, skipped)
    verdicts = [
        replace(v, reason=(v.reason or "absent") if v.label == "not_mentioned" else None)
        for v in state.verdicts
    ]
    unmended = [] if context.check_only else find_unmended(state.claims, verdicts, edits)
    _note_unmended(state, unmended)
    cites = context.cite and not context.check_only
    known = (state.draft, edits, state.claims, verdicts, state.documents)
    marks = mark_correction(*known, context.cite) if cites else []
    edits = keep_allowed(state, compose(state.draft, edits, marks)) if marks else edits
    response = apply_edits(state.draft, edits)
    marked = {"marks": to_json(marks)} if context.cite else {}
    judged: Update = {
        "verdicts": verdicts,
        "edits": edits,
        "unmended": [claim.id for claim in unmended],
    }
    method = state.CONTEXT.method_name()
    own = {"method": method, "label": label, "draft": state.draft, "claims": state.claims}
    # The chat's message holds what it rests on under `errata`, as the middleware's does.
    record = to_json({**own, **judged})
    return {
        **judged,
        "skipped": skipped,
        "response": response,
        "changed": response != state.draft,
        "label": label,
        "method": method,
        "trail": {name: to_json(getattr(state, name)) for name in state.TRAIL} | marked,
        "messages": [as_message(response, find_citations(marks, state.documents), record)],
    }


def _note_unchecked(state: CorrectionState, skipped: Sequence[Skipped]) -> None:
    """Note why nothing of the draft was judged, if that is so and no step has said it."""
    reasons = [verdict.explanation for verdict in state.verdicts if verdict.label == "unchecked"]
    if not state.claims:
        reasons = [describe_skipped(skipped)]
    elif len(reasons) < len(state.verdicts):
        return
    reason = "; ".join(filter(None, dict.fromkeys(reasons)))
    if reason and not any(reason in said for said in state.notes):
        note(f"nothing in the draft could be checked: {reason}")


def _note_unmended(state: CorrectionState, unmended: Sequence[Claim]) -> None:
    """Note each refuted claim that stays, unless a step has said why."""
    explanations = {verdict.claim: verdict.explanation for verdict in state.verdicts}
    for claim in unmended:
        if not any(re.search(rf"\bclaim .*\b{re.escape(claim.id)}\b", n) for n in state.notes):
            why = f": {explanations[claim.id]}" if explanations[claim.id] else ""
            note(f"claim {claim.id} is refuted and was left as it was: “{claim.text}”{why}")


def _skipped(state: CorrectionState) -> list[Skipped]:
    """What of the draft claims nothing and is no claim's; nothing if there is no time to tell."""
    whole = (0, len(state.draft))
    placed = [claim for claim in state.claims if (claim.start, claim.end) != whole]
    claims = Spans(placed, lambda claim: (claim.start, claim.end))
    try:
        found = find_unclaimed(state.draft)
    except OutOfTimeError:
        return []
    return [skipped for skipped in found if not claims.touching(skipped.start, skipped.end)]
