"""Refine what was retrieved into strips of knowledge (section 4.4)."""

from asyncio import to_thread
from typing import TypedDict

from errata.core.records import Knowledge
from errata.nodes.crag.state import Crag, KnowledgeContext
from errata.nodes.step import step
from errata.tools.local.refine import as_knowledge
from errata.tools.local.refine import refine as refine_documents


class Refined(TypedDict):
    """Internal knowledge."""

    internal: list[Knowledge]


@step
async def refine(state: Crag, context: KnowledgeContext) -> Refined:
    """Cut documents into strips, score these, and recompose the best in order."""
    if not context.refinement:
        return {"internal": [as_knowledge(document) for document in state.documents]}
    scoring = (context.strip_evaluator, context.strip_top_k, context.floor)
    strips = await to_thread(
        refine_documents, state.question, state.documents, context.strips, *scoring
    )
    return {"internal": strips}
