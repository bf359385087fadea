"""End: the verdicts that follow from the explanations, the response, the chat's answer."""

from asyncio import to_thread
from dataclasses import replace
from typing import TypedDict

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from errata.edits import apply_edits
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.shared.receive import NAME
from errata.nodes.step import step
from errata.records import ResponseLabel, Verdict
from errata.tools.judges.verifier import verify


class Reported(TypedDict):
    """Add what is handed out."""

    verdicts: list[Verdict]
    response: str
    changed: bool
    label: ResponseLabel
    method: str
    messages: list[AIMessage]


@step
async def report(state: Reex, runtime: Runtime[ReexContext]) -> Reported:
    """Judge the draft and its claims by the explanations, and apply the edits."""
    response = apply_edits(state.draft, state.edits)
    return {
        "verdicts": await to_thread(judged, state, settings(runtime)),
        "response": response,
        "changed": response != state.draft,
        "label": label_of(state),
        "method": "reex",
        "messages": [AIMessage(response, name=NAME)],
    }


def label_of(state: Reex) -> ResponseLabel:
    """Judge the whole: refuted by any explained error, supported where evidence showed none."""
    if state.explanations:
        return "refuted"
    found = any(answer.evidence for answer in state.answers)
    return "supported" if state.explained and found else "not_mentioned"


def judged(state: Reex, context: ReexContext) -> list[Verdict]:
    """Give a verdict on each claim: refuted where an explanation speaks of it.

    Of the others those are supported that the local verifier finds so in the evidence; nothing is
    checked where no errors could be looked for.
    """
    if not state.explained:
        return [Verdict(claim=claim.id, label="unchecked") for claim in state.claims]
    errors = {name: e for e in reversed(state.explanations) for name in e.claims}
    weights = context.weights("explain")
    return [
        Verdict(
            claim=verdict.claim,
            label="refuted",
            evidence=errors[verdict.claim].evidence,
            explanation=errors[verdict.claim].text,
        )
        if verdict.claim in errors
        else _unexplained(verdict)
        for verdict in verify(state.question, state.claims, state.documents, weights)
    ]


def _unexplained(verdict: Verdict) -> Verdict:
    """Take a verdict that no explanation speaks of: it may be supported, but not refuted."""
    if verdict.label != "refuted":
        return verdict
    return replace(verdict, label="not_mentioned", explanation="no error was explained here")
