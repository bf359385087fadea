"""Have a person decide on the proposed edits."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.shared.review import Proposed, review_edits
from errata.nodes.step import step
from errata.records import Edit


class Decided(TypedDict):
    """Put the edits that stand in place of the proposed ones."""

    edits: list[Edit]
    notes: list[str]


@step
async def review(state: Rac, runtime: Runtime[RacContext]) -> Decided:
    """Stop and wait; the run resumes with the decisions."""
    proposed = Proposed(state.question, state.draft, state.claims, state.verdicts, state.edits)
    edits, notes = review_edits(proposed, settings(runtime))
    return {"edits": edits, "notes": notes}
