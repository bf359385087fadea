"""Correct the text by its last critique (algorithm 1: correction)."""

from typing import TypedDict

from errata.core.records import Critique
from errata.nodes.critic.state import Critic, CriticContext
from errata.nodes.shared.critiques import correct_by_critique
from errata.nodes.step import step


class Corrected(TypedDict):
    """The critiques, the last one with the corrected text."""

    critiques: list[Critique]


@step
async def correct(state: Critic, context: CriticContext) -> Corrected:
    """Write the text anew without its problems; a failure leaves it as it was."""
    *past, last = state.critiques
    corrected = await correct_by_critique(state, context, "critic/correct", last)
    return {"critiques": [*past, corrected]}
