"""Which way a run goes: the words on the drawing's edges."""

from typing import Literal

from errata.core.records import Action
from errata.nodes.crag.state import Crag
from errata.nodes.step import route

Way = Literal["correct or ambiguous", "incorrect or ambiguous"]
_WAYS: dict[Action, list[Way]] = {
    "correct": ["correct or ambiguous"],
    "incorrect": ["incorrect or ambiguous"],
    "ambiguous": ["correct or ambiguous", "incorrect or ambiguous"],
}


@route
def after_evaluate(state: Crag) -> list[Way]:
    """Refine what is correct, search where it is incorrect, do both at once between (4.3)."""
    return _WAYS[state.action or "ambiguous"]
