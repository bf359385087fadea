"""Which way a run goes: the words on the drawing's edges."""

from typing import Literal

from errata.nodes.crag.state import Crag

Way = Literal["correct", "incorrect", "ambiguous: refine", "ambiguous: search"]


def after_evaluate(state: Crag) -> list[Way]:
    """Refine what is correct, search where it is incorrect, do both at once between (4.3)."""
    if state.action == "ambiguous":
        return ["ambiguous: refine", "ambiguous: search"]
    return [state.action]
