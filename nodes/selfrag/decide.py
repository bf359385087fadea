"""Decide whether the question needs retrieval (section 3.3, algorithm 1)."""

from typing import Literal, TypedDict

from errata.nodes.ask import ask
from errata.nodes.ledger import note
from errata.nodes.selfrag.state import Selfrag, SelfragContext
from errata.nodes.step import route, step
from errata.tools.models.reflection import read_decision, value_of


class Decided(TypedDict):
    """How probable it is that retrieval is needed."""

    need: float


@step
async def decide(state: Selfrag, context: SelfragContext) -> Decided:
    """Ask the model; local code retrieves, and so does a run whose model does not say."""
    if context.retrieval != "adaptive" or context.model_for("decide") is None:
        return {"need": float(context.retrieval != "never")}
    if not (state.documents or context.corpus or context.search != "none"):
        return {"need": 0.0}
    then, values = "documents were retrieved", {"question": state.question}
    reply = await ask(context, "decide", "selfrag/decide", if_failed=then, **values)
    said = read_decision(reply.text)
    if not (said or reply.failure):
        note(f"{then}: the reply to {context.template('selfrag/decide').tag} has no yes or no")
    return {"need": value_of(said, "retrieve") if said else 1.0}


@route
def after_decide(state: Selfrag, context: SelfragContext) -> Literal["retrieval", "no retrieval"]:
    """Retrieve if that is needed with more than the threshold's probability."""
    return "retrieval" if state.need > context.retrieval_threshold else "no retrieval"
