"""Plan a verification question for each fact of the draft (section 3.2, table 6)."""

from typing import TypedDict

from errata.core.records import Claim
from errata.nodes.ask import ask as ask_model
from errata.nodes.cove.state import Cove, CoveContext
from errata.nodes.shared.claims import place_plan, split_locally
from errata.nodes.shared.listing import INSTEAD, question_for, read_plan
from errata.nodes.step import step


class Asked(TypedDict):
    """The facts as claims, and a question for each."""

    claims: list[Claim]
    questions: list[str]


@step
async def ask(state: Cove, context: CoveContext) -> Asked:
    """Plan questions; local code asks about each claim, also where a model plans none."""
    if context.model_for("ask") is not None:
        values = {"question": state.question, "draft": state.draft}
        reply = await ask_model(context, "ask", "cove/ask", if_failed=INSTEAD, **values)
        if plan := read_plan(reply.text):
            claims = await place_plan(state.draft, plan)
            return {"claims": claims, "questions": [question for _, question in plan]}
    claims = await split_locally(state)
    return {"claims": claims, "questions": [question_for(claim) for claim in claims]}
