"""End: the response, the draft's label, what is still wrong in it, and the chat's answer."""

import re
from asyncio import to_thread
from dataclasses import replace

from langchain_core.messages import AIMessage

from errata.core.edits import Spans, apply_edits
from errata.core.errors import OutOfTimeError
from errata.core.jsonable import to_json
from errata.core.notebook import describe_skipped
from errata.core.records import ResponseLabel, Skipped
from errata.nodes.claims import find_unmended, label_for
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
    reasons = [verdict.explanation for verdict in state.verdicts if verdict.label == "unchecked"]
    if not state.claims:
        reasons = [describe_skipped(skipped)]
    elif len(reasons) < len(state.verdicts):
        reasons = []
    if reason := "; ".join(filter(None, dict.fromkeys(reasons))):
        note(f"nothing in the draft could be checked: {reason}")
    verdicts = [
        replace(v, reason=(v.reason or "absent") if v.label == "not_mentioned" else None)
        for v in state.verdicts
    ]
    unmended = [] if context.check_only else find_unmended(state.claims, verdicts, edits)
    explanations = {verdict.claim: verdict.explanation for verdict in verdicts}
    for claim in unmended:
        # A step may have said already why it stays.
        if not any(re.search(rf"\bclaim .*\b{re.escape(claim.id)}\b", n) for n in state.notes):
            why = f": {explanations[claim.id]}" if explanations[claim.id] else ""
            note(f"claim {claim.id} is refuted and was left as it was: “{claim.text}”{why}")
    judged: Update = {
        "verdicts": verdicts,
        "edits": edits,
        "unmended": [claim.id for claim in unmended],
    }
    method = state.CONTEXT.method_name()
    own = {"method": method, "label": label, "draft": state.draft, "claims": state.claims}
    # The chat's message holds what it rests on under `errata`, as the middleware's does.
    record = {"errata": to_json({**own, **judged})}
    return {
        **judged,
        "skipped": skipped,
        "response": response,
        "changed": response != state.draft,
        "label": label,
        "method": method,
        "trail": {name: to_json(getattr(state, name)) for name in state.TRAIL},
        "messages": [AIMessage(response, name=NAME, additional_kwargs=record)],
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
