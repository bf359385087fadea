"""End: the response, the draft's label, and the chat's answer."""

from collections.abc import Sequence
from typing import TypedDict

from langchain_core.messages import AIMessage

from errata.edits import applied
from errata.nodes.rac.state import Rac
from errata.nodes.receiving import NAME
from errata.nodes.step import step
from errata.records import ResponseLabel, Verdict


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
    response = applied(state.draft, state.edits)
    return {
        "response": response,
        "changed": response != state.draft,
        "label": label_for(state.verdicts),
        "method": "rac",
        "messages": [AIMessage(response, name=NAME)],
    }


def label_for(verdicts: Sequence[Verdict]) -> ResponseLabel:
    """Judge the whole: refuted if any claim is, supported if all are, else not mentioned."""
    labels = {verdict.label for verdict in verdicts}
    if "refuted" in labels:
        return "refuted"
    return "supported" if labels == {"supported"} else "not_mentioned"
