"""A person's word on proposed edits: which are shown, and what an answer makes of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from langgraph.types import interrupt

from errata.edits import apply_edits
from errata.errors import InputError
from errata.nodes.state import CorrectionContext
from errata.records import Claim, Edit, Verdict, to_json

ACCEPT, REJECT, REPLACE = "accept", "reject", "replace"
HELP = (
    f"Resume with {ACCEPT!r} or {REJECT!r} for all edits, or with a decision for each edit's id: "
    f"{{'e1': {ACCEPT!r}, 'e2': {REJECT!r}, 'e3': {{{REPLACE!r}: 'another text'}}}}."
)


class Proposed(NamedTuple):
    """Hold a draft and what a run would make of it."""

    question: str
    draft: str
    claims: Sequence[Claim]
    verdicts: Sequence[Verdict]
    edits: Sequence[Edit]


def edits_to_review(
    edits: Sequence[Edit], verdicts: Sequence[Verdict], context: CorrectionContext
) -> dict[str, Edit]:
    """Choose the edits that a person decides on, by an id that counts them in draft order."""
    known = {verdict.claim: verdict for verdict in verdicts}
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return {
        f"e{number}": edit
        for number, edit in enumerate(ordered, start=1)
        if _shown([known[claim] for claim in edit.claims if claim in known], context)
    }


def _shown(verdicts: Sequence[Verdict], context: CorrectionContext) -> bool:
    """Tell whether an edit that rests on these verdicts is shown; one that rests on none is."""
    if context.review == "all" or not verdicts:
        return context.review != "none"
    if context.review == "refuted":
        return any(verdict.label == "refuted" for verdict in verdicts)
    return context.review == "low_confidence" and any(_unsure(v, context) for v in verdicts)


def _unsure(verdict: Verdict, context: CorrectionContext) -> bool:
    """Tell whether a claim may well be right: the score is the probability that it is."""
    return verdict.score is None or 1 - verdict.score < context.review_below


def review_edits(proposed: Proposed, context: CorrectionContext) -> tuple[list[Edit], list[str]]:
    """Stop for a person's decisions and give the edits that stand; ask again where one is unclear.

    Nothing before the step that calls this runs again when the run resumes.
    """
    shown = edits_to_review(proposed.edits, proposed.verdicts, context)
    if not shown:
        return list(proposed.edits), []
    others = [edit for edit in proposed.edits if edit not in shown.values()]
    request, fault = review_request(proposed, shown), ""
    while True:
        answer = interrupt({**request, "fault": fault}, response_schema=answer_schema(shown))
        try:
            kept, notes = decide(shown, answer)
        except InputError as error:
            fault = str(error)
        else:
            return sorted([*others, *kept], key=lambda edit: edit.start), notes


def review_request(proposed: Proposed, shown: Mapping[str, Edit]) -> dict[str, Any]:
    """Say what is proposed and how to decide, as JSON."""
    verdicts = {verdict.claim: to_json(verdict) for verdict in proposed.verdicts}
    claims = {c.id: {"text": c.text, **verdicts.get(c.id, {})} for c in proposed.claims}
    return {
        "kind": "review",
        "question": proposed.question,
        "draft": proposed.draft,
        "response": apply_edits(proposed.draft, proposed.edits),
        "edits": [
            {"id": name, **to_json(edit), "claims": [claims[c] for c in edit.claims if c in claims]}
            for name, edit in shown.items()
        ],
        "help": HELP,
    }


def answer_schema(shown: Iterable[str]) -> dict[str, Any]:
    """Give the JSON schema of an answer, so that a client can draw a form."""
    replacing = {"type": "object", "properties": {REPLACE: {"type": "string"}}}
    word = {"type": "string", "enum": [ACCEPT, REJECT]}
    each = {name: {"anyOf": [word, {**replacing, "required": [REPLACE]}]} for name in shown}
    return {"anyOf": [word, {"type": "object", "properties": each, "required": list(each)}]}


def decide(shown: Mapping[str, Edit], answer: object) -> tuple[list[Edit], list[str]]:
    """Keep, drop or change edits as a person decided.

    Raises InputError where the answer leaves an edit out, names one that is not there, or cannot be
    read.
    """
    decisions = _by_id(shown, answer)
    kept, notes = list[Edit](), list[str]()
    for name, edit in shown.items():
        text = _text(name, edit, decisions[name])
        if text != edit.before:
            kept.append(replace(edit, after=text))
        if text != edit.after:
            done = "was rejected" if text == edit.before else "was replaced"
            notes.append(f"the edit of {edit.before!r} to {edit.after!r} {done} in review")
    return kept, notes


def _by_id(shown: Mapping[str, Edit], answer: object) -> Mapping[str, object]:
    """Read one decision for each edit."""
    if answer in (ACCEPT, REJECT):
        return dict.fromkeys(shown, answer)
    if not isinstance(answer, Mapping):
        raise InputError(f"cannot read {answer!r}. {HELP}")
    missing, unknown = sorted(shown.keys() - answer.keys()), sorted(answer.keys() - shown.keys())
    if missing or unknown:
        fault = f"without a decision: {missing}; not under review: {unknown}"
        raise InputError(f"{fault}. {HELP}")
    return answer


def _text(name: str, edit: Edit, decision: object) -> str:
    """Give what stands in the edit's place after a decision."""
    if decision in (ACCEPT, REJECT):
        return edit.after if decision == ACCEPT else edit.before
    text = decision.get(REPLACE) if isinstance(decision, Mapping) else None
    if not isinstance(text, str):
        raise InputError(f"cannot read {decision!r} for {name}. {HELP}")
    return text
