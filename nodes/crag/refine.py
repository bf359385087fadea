"""Refine what was retrieved into strips of knowledge (section 4.4)."""

from asyncio import to_thread
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import Knowledge
from errata.tools.local.refine import as_knowledge
from errata.tools.local.refine import refine as refine_documents


class Refined(TypedDict):
    """Add internal knowledge."""

    internal: list[Knowledge]


@step
async def refine(state: Crag, runtime: Runtime[CragContext]) -> Refined:
    """Cut documents into strips, score these, and recompose the best in order."""
    context = settings(runtime)
    if not context.refinement:
        return {"internal": [as_knowledge(document) for document in state.documents]}
    strips = await to_thread(
        refine_documents,
        state.question,
        state.documents,
        context.strips,
        context.strip_evaluator,
        context.strip_top_k,
        context.floor,
    )
    return {"internal": strips}
