"""End: the response, the draft's label, what is still wrong in it, and the chat's answer."""

import re
from asyncio import to_thread
from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage

from errata.core.edits import Spans, apply_edits
from errata.core.errors import OutOfTimeError
from errata.core.jsonable import to_json
from errata.core.notebook import describe_skipped
from errata.core.records import Claim, ResponseLabel, Skipped, Verdict
from errata.nodes.claims import find_unmended, label_for, with_reason
from errata.nodes.ledger import note
from errata.nodes.receive import NAME
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import Update, step
from errata.tools.text.unclaimed import find_unclaimed


@step
async def report(state: CorrectionState, context: CorrectionContext) -> Update:
    """Apply the edits, and sum up the verdicts."""
    return await to_thread(hand_out, state, context, label_for(state.verdicts))


def hand_out(state: CorrectionState, context: CorrectionContext, label: ResponseLabel) -> Update:
    """The result of a run; a check hands out the draft, whatever edits a step proposed."""
    edits = [] if context.check_only else state.edits
    response, skipped = apply_edits(state.draft, edits), _skipped(state)
    if reason := _why_unchecked(state, skipped):
        note(f"nothing in the draft could be checked: {reason}")
    verdicts = [with_reason(verdict) for verdict in state.verdicts]
    unmended = [] if context.check_only else find_unmended(state.claims, verdicts, edits)
    note(*_notes_on(unmended, verdicts, state))
    judged: Update = {
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
        "method": state.CONTEXT.method_name(),
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
    response: str, state: CorrectionState, label: ResponseLabel, judged: Update
) -> AIMessage:
    """The response for a chat, with what it rests on under `errata`, as the middleware has it."""
    own = {
        "method": state.CONTEXT.method_name(),
        "label": label,
        "draft": state.draft,
        "claims": state.claims,
    }
    record = to_json({**own, **judged})
    return AIMessage(response, name=NAME, additional_kwargs={"errata": record})
