"""Split a draft into claims, by local code or by a model."""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from errata.core.records import Claim
from errata.nodes.ask import ask
from errata.nodes.shared.listing import read_claims
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.tools.local.extract import extract
from errata.tools.local.placement import place_claims
from errata.tools.text.language import detect_foreign_draft


class Extracted(TypedDict):
    """The claims."""

    claims: list[Claim]


async def split_draft(
    state: CorrectionState, context: CorrectionContext, template: str
) -> list[Claim]:
    """The draft's claims, each with its sentence's place; none, and a note, if a model fails."""
    if context.model_for("extract") is None:
        return await split_locally(state)
    consequence = "the draft was not split into claims and is returned as it was"
    values = {"question": state.question, "draft": state.draft}
    reply = await ask(context, "extract", template, if_failed=consequence, **values)
    texts = [] if reply.failure else read_claims(reply.text)
    return await to_thread(place_claims, state.draft, texts)


async def split_locally(state: CorrectionState) -> list[Claim]:
    """The draft's claims as local code finds them."""
    language = await to_thread(detect_foreign_draft, state.draft)
    return await to_thread(extract, state.question, state.draft, language or "en")


async def place_plan(draft: str, plan: Sequence[tuple[str, str]]) -> list[Claim]:
    """The facts of pairs of a fact and its question, as claims with their sentences' places.

    Where a question comes without a fact, the claim is the sentence that it is about.
    """
    texts = [fact or question for fact, question in plan]
    placed = await to_thread(place_claims, draft, texts)
    return [
        claim if fact else replace(claim, text=draft[claim.start : claim.end])
        for claim, (fact, _) in zip(placed, plan, strict=True)
    ]
