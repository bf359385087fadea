"""What the rounds come to: verdicts on the draft's claims, and edits of the draft."""

from typing import TypedDict

from errata.core.records import Edit, Verdict
from errata.nodes.critic.state import Critic, CriticContext
from errata.nodes.shared.critiques import judge_by_critiques
from errata.nodes.shared.mend import edits_to
from errata.nodes.step import step


class Revised(TypedDict):
    """The verdicts and the edits."""

    verdicts: list[Verdict]
    edits: list[Edit]


@step
async def revise(state: Critic, context: CriticContext) -> Revised:
    """Turn the last text into edits, each tied to the claims that a critique refutes."""
    verdicts = await judge_by_critiques(state, context, state.critiques)
    judged = state.model_copy(update={"verdicts": verdicts})
    return {"verdicts": verdicts, "edits": await edits_to(judged, context, state.text)}
