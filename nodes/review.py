"""Choose the edits that a person decides on, and wait for the decisions."""

from asyncio import to_thread
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from errata.core.edits import apply_edits, on_word_borders
from errata.core.errors import InputError
from errata.core.jsonable import to_json
from errata.core.records import Edit, Verdict
from errata.nodes.claims import keep_allowed
from errata.nodes.state import CorrectionState, RevisionContext
from errata.nodes.step import Update, note
from errata.tools.local.shape import keep_shape


async def propose(state: CorrectionState, runtime: Runtime[RevisionContext]) -> Update:
    """Put the edits on word borders, drop what breaks its markdown, choose by the settings."""
    context = runtime.context
    edits = await to_thread(on_word_borders, state.draft, state.edits)
    edits = keep_allowed(state, edits, extractive=context.profile == "extractive")
    moves = context.MOVES_MARKS
    edits, drops = await to_thread(keep_shape, state.draft, edits, moves_marks=moves)
    note(*drops)
    shown = {} if context.check_only else edits_to_review(edits, state.verdicts, context)
    return {"edits": edits, "under_review": dict.fromkeys(shown, context.review)}


def edits_by_id(edits: Sequence[Edit]) -> dict[str, Edit]:
    """All edits, by ids that count them in draft order."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return {f"e{number}": edit for number, edit in enumerate(ordered, start=1)}


def edits_to_review(
    edits: Sequence[Edit], verdicts: Sequence[Verdict], context: RevisionContext
) -> dict[str, Edit]:
    """The edits, by id, that the settings have a person decide on, or that rest on no verdict."""
    if context.review == "none":
        return {}

    def is_shown(verdict: Verdict) -> bool:
        if context.review == "low_confidence":
            return verdict.score is None or 1 - verdict.score < context.review_below
        return context.review == "all" or verdict.label == "refuted"

    shows, by_id = {verdict.claim: is_shown(verdict) for verdict in verdicts}, edits_by_id(edits)
    own = {name: [shows[c] for c in edit.claims if c in shows] for name, edit in by_id.items()}
    return {name: edit for name, edit in by_id.items() if any(own[name]) or not own[name]}


ACCEPT, REJECT, REPLACE = "accept", "reject", "replace"
DECISIONS = ["approve", "edit", "reject"]
"""The decisions of LangChain's human-in-the-loop clients."""


async def review(state: CorrectionState) -> Update:
    """Stop for decisions on the edits under review, whatever settings resume the run."""
    edits = edits_by_id(state.edits)
    under_review = {name: edits[name] for name in state.under_review if name in edits}
    if not under_review:
        return {}
    others = [edit for name, edit in edits.items() if name not in under_review]
    request, fault = review_request(state, under_review), ""
    while True:
        answer = interrupt({**request, "fault": fault}, response_schema=answer_schema(under_review))
        try:
            accepted, notes = apply_decisions(under_review, answer)
        except InputError as error:
            fault = str(error)
        else:
            note(*notes)
            return {"edits": sorted([*others, *accepted], key=lambda edit: edit.start)}


def review_request(state: CorrectionState, under_review: Mapping[str, Edit]) -> dict[str, Any]:
    """What is proposed and how to decide, also as LangChain's human-in-the-loop clients read it."""
    verdicts = {verdict.claim: to_json(verdict) for verdict in state.verdicts}
    claims = {c.id: {"text": c.text, **verdicts.get(c.id, {})} for c in state.claims}

    def describe(edit: Edit) -> str:
        quotes = "".join(f" “{' '.join(quote.text.split())}”" for quote in edit.evidence)
        change = f"{edit.before!r} to {edit.after!r}" if edit.after else f"delete {edit.before!r}"
        return f"{change}: {edit.explanation}{quotes}"

    return {
        "kind": "review",
        "question": state.question,
        "draft": state.draft,
        "response": apply_edits(state.draft, state.edits),
        "edits": [
            {"id": name, **to_json(edit), "claims": [claims[c] for c in edit.claims if c in claims]}
            for name, edit in under_review.items()
        ],
        "action_requests": [
            {"name": name, "args": {"after": edit.after}, "description": describe(edit)}
            for name, edit in under_review.items()
        ],
        "review_configs": [
            {"action_name": name, "allowed_decisions": DECISIONS} for name in under_review
        ],
        "help": _help(under_review),
    }


def _help(ids: Iterable[str]) -> str:
    """How to answer, by the example of the edits under review."""
    samples = [ACCEPT, REJECT, {REPLACE: "another text"}]
    example = {name: samples[n % len(samples)] for n, name in enumerate(ids)}
    return (
        f"Resume with {ACCEPT!r} or {REJECT!r} for all edits, with a decision for each edit's id, "
        f"such as {example}, or with {{'decisions': [{{'type': 'approve'}}, …]}} in their order."
    )


def answer_schema(ids: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of a decision, so that a client can draw a form."""
    replacement = {"type": "object", "properties": {REPLACE: {"type": "string"}}}
    word = {"type": "string", "enum": [ACCEPT, REJECT]}
    each = {name: {"anyOf": [word, {**replacement, "required": [REPLACE]}]} for name in ids}
    by_id = {"type": "object", "properties": each, "required": list(each)}
    kind = {"type": "string", "enum": DECISIONS}
    decision = {"type": "object", "properties": {"type": kind}, "required": ["type"]}
    decisions = {"type": "array", "items": decision, "minItems": len(each), "maxItems": len(each)}
    in_order = {"type": "object", "properties": {"decisions": decisions}, "required": ["decisions"]}
    return {"anyOf": [word, by_id, in_order]}


def apply_decisions(
    under_review: Mapping[str, Edit], answer: object
) -> tuple[list[Edit], list[str]]:
    """The edits after a person's decision, and notes; raises InputError if that cannot be read."""
    decisions = _decision_by_id(under_review, answer)
    edits, notes = list[Edit](), list[str]()
    for name, edit in under_review.items():
        decision = decisions[name]
        text = decision.get(REPLACE) if isinstance(decision, Mapping) else None
        if decision in (ACCEPT, REJECT):
            text = edit.after if decision == ACCEPT else edit.before
        if not isinstance(text, str):
            raise InputError(f"cannot read {decision!r} for {name}. {_help(under_review)}")
        if text != edit.before:
            edits.append(replace(edit, after=text))
        if text != edit.after:
            outcome = "was rejected" if text == edit.before else "was replaced"
            notes.append(f"the edit of {edit.before!r} to {edit.after!r} {outcome} in review")
    return edits, notes


def _decision_by_id(under_review: Mapping[str, Edit], answer: object) -> Mapping[str, object]:
    """One decision for each edit, from a word for all, a mapping by id, or a list in order."""
    if answer in (ACCEPT, REJECT):
        return dict.fromkeys(under_review, answer)
    if isinstance(answer, Mapping) and "decisions" in answer:
        answer = answer["decisions"]
        if isinstance(answer, list) and len(answer) == len(under_review):
            answer = dict(zip(under_review, map(_translate, answer), strict=True))
    if not isinstance(answer, Mapping):
        raise InputError(f"cannot read {answer!r}. {_help(under_review)}")
    missing = sorted(under_review.keys() - answer.keys())
    unknown = sorted(answer.keys() - under_review.keys())
    if missing or unknown:
        fault = f"without a decision: {missing}; not under review: {unknown}"
        raise InputError(f"{fault}. {_help(under_review)}")
    return answer


def _translate(decision: object) -> object:
    """LangChain's decision in our words; what is none stays as it is."""
    if not isinstance(decision, Mapping):
        return decision
    if decision.get("type") == "edit":
        action = decision.get("edited_action")
        args = action.get("args") if isinstance(action, Mapping) else None
        return {REPLACE: args.get("after") if isinstance(args, Mapping) else None}
    return {"approve": ACCEPT, "reject": REJECT}.get(str(decision.get("type")), decision)
