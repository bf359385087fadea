"""Select from the pages what speaks of the question (appendix B.3)."""

from asyncio import to_thread
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import Knowledge
from errata.tools.local.refine import as_knowledge
from errata.tools.local.refine import select as select_paragraphs


class Selected(TypedDict):
    """Add external knowledge."""

    external: list[Knowledge]


@step
async def select(state: Crag, runtime: Runtime[CragContext]) -> Selected:
    """Score the pages' paragraphs, and keep the best in order."""
    context = settings(runtime)
    if not context.selection:
        return {"external": [as_knowledge(page) for page in state.pages]}
    best = await to_thread(
        select_paragraphs,
        state.question,
        state.pages,
        context.strip_evaluator,
        context.strip_top_k,
        context.floor,
    )
    return {"external": best}
