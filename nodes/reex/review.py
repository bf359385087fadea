"""Have a person decide on the proposed edits."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.shared.review import Proposed, review_edits
from errata.nodes.step import step
from errata.records import Edit, Verdict


class Decided(TypedDict):
    """Put the edits that stand in place of the proposed ones."""

    edits: list[Edit]
    notes: list[str]


@step
async def review(state: Reex, runtime: Runtime[ReexContext]) -> Decided:
    """Stop and wait; the run resumes with the decisions."""
    proposed = Proposed(state.question, state.draft, state.claims, explained(state), state.edits)
    edits, notes = review_edits(proposed, settings(runtime))
    return {"edits": edits, "notes": notes}


def explained(state: Reex) -> list[Verdict]:
    """Give the verdicts that follow from the explanations; nothing measured how sure they are."""
    return [
        Verdict(claim=claim, label="refuted", evidence=e.evidence, explanation=e.text)
        for e in state.explanations
        for claim in e.claims
    ]
