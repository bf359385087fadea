"""Criticise the text by what searches find (algorithm 1: verification)."""

from typing import TypedDict

from errata.core.records import Claim, Critique, Document
from errata.nodes.critic.state import Critic, CriticContext
from errata.nodes.shared.claims import split_locally
from errata.nodes.shared.critiques import criticise
from errata.nodes.step import step


class Verified(TypedDict):
    """The draft's claims, the documents with what was found, and one more critique."""

    claims: list[Claim]
    documents: list[Document]
    critiques: list[Critique]


@step
async def verify(state: Critic, context: CriticContext) -> Verified:
    """Find what is wrong with the text; a model searches as it goes along."""
    claims, past = state.claims or await split_locally(state), state.critiques
    templates = ("critic/verify", "critic/verify.answer")
    documents, critique = await criticise(state, context, templates, state.text, past)
    return {"claims": claims, "documents": documents, "critiques": [*past, critique]}
