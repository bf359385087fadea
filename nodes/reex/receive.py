"""Begin: take the draft, and the claims in it that verdicts will be on."""

from asyncio import to_thread

from errata.core.records import Claim
from errata.nodes.reex.claims import with_claims
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.receive import Received, read_request
from errata.nodes.step import opening


class ReceivedWithClaims(Received):
    """What is to be corrected, with its claims."""

    claims: list[Claim]


@opening
async def receive(state: Reex, context: ReexContext) -> ReceivedWithClaims:
    """Take question, draft and documents, and find the draft's claims.

    Raises InputError if there is no draft.
    """
    request = read_request(state, context)
    begun = state.model_copy(update={**request, "explanations": []})
    return {**request, "claims": (await to_thread(with_claims, begun, context)).claims}
