"""End: the response, the draft's label, and the chat's answer."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from typing import Any, TypedDict

from langchain_core.messages import AIMessage

from errata.edits import apply_edits
from errata.errors import OutOfTimeError
from errata.nodes.ledger import note
from errata.nodes.shared.receive import NAME
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import step
from errata.records import Edit, ResponseLabel, Skipped, Verdict, describe_skipped, to_json
from errata.spans import Spans
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


class Reported(TypedDict):
    """What is handed out."""

    edits: list[Edit]
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
    return {
        "edits": edits,
        "skipped": skipped,
        "response": response,
        "changed": response != state.draft,
        "label": label,
        "method": state.method,
        "trail": {name: to_json(getattr(state, name)) for name in state.TRAIL},
        "messages": [_message(response, state, edits, label)],
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


def _message(
    response: str, state: CorrectionState, edits: Sequence[Edit], label: ResponseLabel
) -> AIMessage:
    """The response for a chat, with what it rests on under `errata`, as the middleware has it."""
    record = {
        "method": state.method,
        "label": label,
        "draft": state.draft,
        "claims": to_json(state.claims),
        "verdicts": to_json(state.verdicts),
        "edits": to_json(edits),
    }
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
