"""End: the response, the draft's label, and the chat's answer."""

from typing import TypedDict

from langchain_core.messages import AIMessage

from errata.edits import apply_edits
from errata.nodes.rac.state import Rac
from errata.nodes.shared.receive import NAME
from errata.nodes.shared.report import label_for
from errata.nodes.step import step
from errata.records import ResponseLabel


class Reported(TypedDict):
    """Add what is handed out."""

    response: str
    changed: bool
    label: ResponseLabel
    method: str
    messages: list[AIMessage]


@step
async def report(state: Rac) -> Reported:
    """Apply the edits and sum up the verdicts."""
    response = apply_edits(state.draft, state.edits)
    return {
        "response": response,
        "changed": response != state.draft,
        "label": label_for(state.verdicts),
        "method": "rac",
        "messages": [AIMessage(response, name=NAME)],
    }
