"""Which way a run goes: the words on the drawing's edges."""

from typing import Literal

from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.step import route

Onward = Literal["two steps", "one step", "no explanation"]


@route
def after_receive(state: Reex, context: ReexContext) -> Literal["evidence"] | Onward:  # noqa: ARG001  a route takes the state
    """Ask first, unless the run does without evidence (table 3)."""
    return _onward(context) if context.evidence == "none" else "evidence"


@route
def onward(state: Reex, context: ReexContext) -> Onward:  # noqa: ARG001  a route takes the state
    """Explain and revise in two steps or in one; or revise at once (tables 1 and 3)."""
    return _onward(context)


def _onward(context: ReexContext) -> Onward:
    if not context.explanation and not context.check_only:
        return "no explanation"
    return "one step" if context.steps == 1 else "two steps"


@route
def after_explain(
    state: Reex, context: ReexContext
) -> Literal["errors", "no errors or check only"]:
    """Revise only where there is an error to mend."""
    mending = state.explanations and not context.check_only
    return "errors" if mending else "no errors or check only"
