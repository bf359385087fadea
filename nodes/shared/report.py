"""End: the response, the draft's label, what is still wrong in it, and the chat's answer."""

import re
from asyncio import to_thread
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from langchain_core.messages import AIMessage

from errata.core.edits import Spans, apply_edits
from errata.core.errors import OutOfTimeError
from errata.core.jsonable import to_json
from errata.core.notebook import describe_skipped
from errata.core.records import Claim, Edit, ResponseLabel, Skipped, Verdict
from errata.nodes.ledger import note
from errata.nodes.shared.receive import NAME
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import step
from errata.tools.models.chat import is_refusal
from errata.tools.text.unclaimed import find_unclaimed

_LEAD = re.compile(
    r"^\W*(?:here (?:is|are) (?:the |your )?)?(?:corrected|revised|mended) "
    r"(?:answer|draft|text|response|sentences?)\W*:[*_]*\s*",
    re.IGNORECASE,
)
_TAGS = re.compile(
    r"\A<(?P<tag>draft|text|answer|response|claims?|sentences?)>(?P<text>(?:(?!</?(?P=tag)>).)*)"
    r"</(?P=tag)>\Z",
    re.DOTALL | re.IGNORECASE,
)
_FENCE = re.compile(r"\A```[\w-]*\n((?:(?!```).)*)\n```\Z", re.DOTALL)
_NOT_CHANGED = re.compile(
    r"\W{0,9}(?:none|n/a|nothing|unchanged|no (?:changes?|revisions?|corrections?|edits?)"
    r"(?: (?:is|are|was|were))?(?: (?:needed|necessary|required|made))?)?\W{0,9}",
    re.IGNORECASE,
)
"""What a reply has in place of a text that it leaves as it is."""


class Judged(TypedDict):
    """What was found, what was made of it, and what was not."""

    verdicts: list[Verdict]
    edits: list[Edit]
    unmended: list[str]


class Reported(Judged):
    """What is handed out."""

    skipped: list[Skipped]
    response: str
    changed: bool
    label: ResponseLabel
    method: str
    trail: dict[str, Any]
    messages: list[AIMessage]


@step
async def report(state: CorrectionState, context: CorrectionContext) -> Reported:
    """Apply the edits, and sum up the verdicts."""
    return await to_thread(hand_out, state, context, label_for(state.verdicts))


def hand_out(state: CorrectionState, context: CorrectionContext, label: ResponseLabel) -> Reported:
    """The result of a run; a check hands out the draft, whatever edits a step proposed."""
    edits = [] if context.check_only else state.edits
    response, skipped = apply_edits(state.draft, edits), _skipped(state)
    if reason := _why_unchecked(state, skipped):
        note(f"nothing in the draft could be checked: {reason}")
    verdicts = [with_reason(verdict) for verdict in state.verdicts]
    unmended = [] if context.check_only else find_unmended(state.claims, verdicts, edits)
    note(*_notes_on(unmended, verdicts, state))
    judged: Judged = {
        "verdicts": verdicts,
        "edits": edits,
        "unmended": [claim.id for claim in unmended],
    }
    return {
        **judged,
        "skipped": skipped,
        "response": response,
        "changed": response != state.draft,
        "label": label,
        "method": state.method,
        "trail": {name: to_json(getattr(state, name)) for name in state.TRAIL},
        "messages": [_message(response, state, label, judged)],
    }


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


def _why_unchecked(state: CorrectionState, skipped: Sequence[Skipped]) -> str:
    """Why nothing of a draft was judged; empty if anything was, or if notes say why."""
    if state.claims:
        judged = any(verdict.label != "unchecked" for verdict in state.verdicts)
        reasons = dict.fromkeys(verdict.explanation for verdict in state.verdicts)
        return "" if judged else "; ".join(filter(None, reasons))
    return describe_skipped(skipped)


def with_reason(verdict: Verdict) -> Verdict:
    """A verdict that says why its claim is not mentioned: absent, if whoever judged said no more.

    >>> with_reason(Verdict(claim="c1", label="not_mentioned")).reason
    'absent'
    """
    reason = (verdict.reason or "absent") if verdict.label == "not_mentioned" else None
    return replace(verdict, reason=reason)


def find_unmended(
    claims: Sequence[Claim], verdicts: Sequence[Verdict], edits: Sequence[Edit]
) -> list[Claim]:
    """The refuted claims that stay in the text: no edit names them or replaces their sentence.

    An edit that names no claim counts for all that it touches.
    """
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    refuted -= {claim for edit in edits for claim in edit.claims}
    places = Spans(edits, lambda edit: (edit.start, edit.end))

    def is_replaced(claim: Claim) -> bool:
        touching = places.touching(claim.start, claim.end)
        whole = (e.start <= claim.start and claim.end <= e.end for e in touching)
        return any(whole) or any(not edit.claims for edit in touching)

    return [claim for claim in claims if claim.id in refuted and not is_replaced(claim)]


def _notes_on(
    unmended: Sequence[Claim], verdicts: Sequence[Verdict], state: CorrectionState
) -> Iterator[str]:
    """A note on each refuted claim that stays, unless a step said already why it does."""
    reasons = {verdict.claim: verdict.explanation for verdict in verdicts}
    for claim in unmended:
        if not any(re.search(rf"\bclaim .*\b{re.escape(claim.id)}\b", n) for n in state.notes):
            reason = f": {reasons[claim.id]}" if reasons[claim.id] else ""
            yield f"claim {claim.id} is refuted and was left as it was: “{claim.text}”{reason}"


def _message(
    response: str, state: CorrectionState, label: ResponseLabel, judged: Judged
) -> AIMessage:
    """The response for a chat, with what it rests on under `errata`, as the middleware has it."""
    own = {"method": state.method, "label": label, "draft": state.draft, "claims": state.claims}
    record = to_json({**own, **judged})
    return AIMessage(response, name=NAME, additional_kwargs={"errata": record})


def label_for(verdicts: Sequence[Verdict]) -> ResponseLabel:
    """The draft's label: refuted if any claim is, else conflicting if any is.

    Of other drafts those are supported of which all claims are; the rest are not mentioned.
    """
    labels = {verdict.label for verdict in verdicts}
    worst: tuple[ResponseLabel, ...] = ("refuted", "conflicting")
    for label in worst:
        if label in labels:
            return label
    return "supported" if labels == {"supported"} else "not_mentioned"


def read_revision(reply: str) -> str:
    """A model's revision, without a label before it, and a fence of code or tags around it.

    >>> read_revision("Corrected answer: Ada was born in 1815.")
    'Ada was born in 1815.'
    """
    plain = _FENCE.sub(r"\1", _LEAD.sub("", _FENCE.sub(r"\1", reply.strip())))
    return _TAGS.sub(lambda found: found["text"].strip(), plain)


def holds_text(revision: str) -> bool:
    """Whether a revision is a text: not empty, no refusal, no words for leaving all as it is.

    >>> holds_text("Ada was born in 1815."), holds_text("(no changes needed)")
    (True, False)
    """
    return bool(revision) and not (_NOT_CHANGED.fullmatch(revision) or is_refusal(revision))
