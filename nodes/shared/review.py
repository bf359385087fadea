"""Have a person decide on the proposed edits: what is shown, and what a decision does."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypedDict

from langgraph.types import interrupt

from errata.edits import apply_edits
from errata.errors import InputError
from errata.nodes.ledger import note
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import step
from errata.records import Claim, Edit, Verdict, to_json

ACCEPT, REJECT, REPLACE = "accept", "reject", "replace"
HELP = (
    f"Resume with {ACCEPT!r} or {REJECT!r} for all edits, or with a decision for each edit's id: "
    f"{{'e1': {ACCEPT!r}, 'e2': {REJECT!r}, 'e3': {{{REPLACE!r}: 'another text'}}}}."
)


class Reviewed(TypedDict):
    """The edits that stand, in place of the proposed ones."""

    edits: list[Edit]


class Proposal(NamedTuple):
    """A draft, and the edits that a run would make."""

    question: str
    draft: str
    claims: Sequence[Claim]
    verdicts: Sequence[Verdict]
    edits: Sequence[Edit]


@step
async def review(state: CorrectionState, context: CorrectionContext) -> Reviewed:
    """Stop and wait; the run resumes with the decisions."""
    proposal = Proposal(state.question, state.draft, state.claims, state.verdicts, state.edits)
    edits, notes = review_edits(proposal, context)
    note(*notes)
    return {"edits": edits}


def edits_to_review(
    edits: Sequence[Edit], verdicts: Sequence[Verdict], context: CorrectionContext
) -> dict[str, Edit]:
    """The edits that a person decides on, by ids that count all edits in draft order."""
    by_claim = {verdict.claim: verdict for verdict in verdicts}
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return {
        f"e{number}": edit
        for number, edit in enumerate(ordered, start=1)
        if _needs_review([by_claim[claim] for claim in edit.claims if claim in by_claim], context)
    }


def _needs_review(verdicts: Sequence[Verdict], context: CorrectionContext) -> bool:
    """Whether an edit that rests on these verdicts is shown; one that rests on none is."""
    if context.review == "all" or not verdicts:
        return context.review != "none"
    if context.review == "refuted":
        return any(verdict.label == "refuted" for verdict in verdicts)
    return context.review == "low_confidence" and any(_unsure(v, context) for v in verdicts)


def _unsure(verdict: Verdict, context: CorrectionContext) -> bool:
    """Whether the claim may well be right: the score is the probability that it is."""
    return verdict.score is None or 1 - verdict.score < context.review_below


def review_edits(proposal: Proposal, context: CorrectionContext) -> tuple[list[Edit], list[str]]:
    """Stop for a person's decisions; the edits that stand, and a note for each that does not.

    A decision that cannot be read is asked for again. Nothing before the step that calls this runs
    again when the run resumes.
    """
    under_review = edits_to_review(proposal.edits, proposal.verdicts, context)
    if not under_review:
        return list(proposal.edits), []
    others = [edit for edit in proposal.edits if edit not in under_review.values()]
    request, fault = review_request(proposal, under_review), ""
    while True:
        answer = interrupt({**request, "fault": fault}, response_schema=answer_schema(under_review))
        try:
            accepted, notes = decide(under_review, answer)
        except InputError as error:
            fault = str(error)
        else:
            return sorted([*others, *accepted], key=lambda edit: edit.start), notes


def review_request(proposal: Proposal, under_review: Mapping[str, Edit]) -> dict[str, Any]:
    """What is proposed and how to decide, as JSON."""
    verdicts = {verdict.claim: to_json(verdict) for verdict in proposal.verdicts}
    claims = {c.id: {"text": c.text, **verdicts.get(c.id, {})} for c in proposal.claims}
    return {
        "kind": "review",
        "question": proposal.question,
        "draft": proposal.draft,
        "response": apply_edits(proposal.draft, proposal.edits),
        "edits": [
            {"id": name, **to_json(edit), "claims": [claims[c] for c in edit.claims if c in claims]}
            for name, edit in under_review.items()
        ],
        "help": HELP,
    }


def answer_schema(ids: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of a decision, so that a client can draw a form."""
    replacement = {"type": "object", "properties": {REPLACE: {"type": "string"}}}
    word = {"type": "string", "enum": [ACCEPT, REJECT]}
    each = {name: {"anyOf": [word, {**replacement, "required": [REPLACE]}]} for name in ids}
    return {"anyOf": [word, {"type": "object", "properties": each, "required": list(each)}]}


def decide(under_review: Mapping[str, Edit], answer: object) -> tuple[list[Edit], list[str]]:
    """The edits after a person's decision, and a note for each that was rejected or replaced.

    Raises InputError if the answer leaves an edit out, names one that is not there, or cannot be
    read.
    """
    decisions = _decision_by_id(under_review, answer)
    edits, notes = list[Edit](), list[str]()
    for name, edit in under_review.items():
        text = _text_after(name, edit, decisions[name])
        if text != edit.before:
            edits.append(replace(edit, after=text))
        if text != edit.after:
            outcome = "was rejected" if text == edit.before else "was replaced"
            notes.append(f"the edit of {edit.before!r} to {edit.after!r} {outcome} in review")
    return edits, notes


def _decision_by_id(under_review: Mapping[str, Edit], answer: object) -> Mapping[str, object]:
    if answer in (ACCEPT, REJECT):
        return dict.fromkeys(under_review, answer)
    if not isinstance(answer, Mapping):
        raise InputError(f"cannot read {answer!r}. {HELP}")
    missing, unknown = (
        sorted(under_review.keys() - answer.keys()),
        sorted(answer.keys() - under_review.keys()),
    )
    if missing or unknown:
        fault = f"without a decision: {missing}; not under review: {unknown}"
        raise InputError(f"{fault}. {HELP}")
    return answer


def _text_after(name: str, edit: Edit, decision: object) -> str:
    """The text in the edit's place after a decision."""
    if decision in (ACCEPT, REJECT):
        return edit.after if decision == ACCEPT else edit.before
    text = decision.get(REPLACE) if isinstance(decision, Mapping) else None
    if not isinstance(text, str):
        raise InputError(f"cannot read {decision!r} for {name}. {HELP}")
    return text
