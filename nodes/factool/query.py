"""Write two search queries for each claim (section 4.2)."""

from typing import TypedDict

from errata.core.records import Claim
from errata.nodes.ask import ask_all
from errata.nodes.factool.state import Factool, FactoolContext
from errata.nodes.shared.listing import question_for, read_claims
from errata.nodes.step import step

QUERIES = 2


class Queried(TypedDict):
    """The queries."""

    queries: list[list[str]]


@step
async def query(state: Factool, context: FactoolContext) -> Queried:
    """Ask a model for queries; local code, or one whose reply holds none, looks up the claim."""
    claims = state.claims[: context.max_claims]
    if context.model_for("query") is None:
        return {"queries": [plain_queries(claim) for claim in claims]}
    requests = [{"claim": claim.text} for claim in claims]
    failed = [f"claim {claim.id} itself was looked up" for claim in claims]
    replies = await ask_all(context, "query", "factool/query", requests, failed)
    read = [[] if reply.failure else list(read_claims(reply.text))[:QUERIES] for reply in replies]
    pairs = zip(claims, read, strict=True)
    return {"queries": [queries or plain_queries(claim) for claim, queries in pairs]}


def plain_queries(claim: Claim) -> list[str]:
    """A claim as a question, and in its own words."""
    return [question_for(claim), claim.text]
