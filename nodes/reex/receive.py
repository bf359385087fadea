"""Begin: take the draft, and split it into the claims that verdicts will be on."""

from asyncio import to_thread

from errata.nodes.reex.claims import extract_claims
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.receive import Received, read_request
from errata.nodes.step import opening
from errata.records import Claim


class ReceivedWithClaims(Received):
    """What is to be corrected, with its claims."""

    claims: list[Claim]


@opening
async def receive(state: Reex, context: ReexContext) -> ReceivedWithClaims:
    """Take question, draft and documents, and extract the draft's claims.

    Raises InputError if there is no draft.
    """
    request = read_request(state, context)
    claims = await to_thread(extract_claims, request["question"], request["draft"])
    return {**request, "claims": claims}
