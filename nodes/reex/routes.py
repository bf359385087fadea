"""Which way a run goes: the words on the drawing's edges.

Settings are looked up, not taken as a parameter: a state that is edited in its past has none.
"""

from typing import Literal

from langgraph.runtime import get_runtime

from errata.nodes.reex.review import explained
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.shared.review import edits_to_review

Onward = Literal["two steps", "one step", "no explanation"]


def after_receive(state: Reex) -> Literal["evidence"] | Onward:
    """Ask first, unless the run does without evidence (table 3)."""
    return onward(state) if settings(get_runtime(ReexContext)).evidence == "none" else "evidence"


def onward(state: Reex) -> Onward:  # noqa: ARG001  LangGraph passes it
    """Explain and revise in two steps or in one; or revise at once (tables 1 and 3)."""
    context = settings(get_runtime(ReexContext))
    if not context.explanation and not context.check_only:
        return "no explanation"
    return "one step" if context.steps == 1 else "two steps"


def after_explain(state: Reex) -> Literal["errors", "no errors or check only"]:
    """Revise only where there is an error to mend."""
    mending = state.explanations and not settings(get_runtime(ReexContext)).check_only
    return "errors" if mending else "no errors or check only"


def after_revise(state: Reex) -> Literal["review", "no review"]:
    """Stop for a person only where the run says so and there is an edit to decide on."""
    shown = edits_to_review(state.edits, explained(state), settings(get_runtime(ReexContext)))
    return "review" if shown else "no review"
