"""Select from the pages what speaks of the question (appendix B.3)."""

from asyncio import to_thread
from functools import partial
from typing import TypedDict

from errata.core.records import Knowledge
from errata.nodes.answers import AnswerState
from errata.nodes.crag.web import WebContext
from errata.nodes.step import step
from errata.tools.local.refine import as_knowledge, refine


class Selected(TypedDict):
    """External knowledge."""

    external: list[Knowledge]


@step
async def select(state: AnswerState, context: WebContext) -> Selected:
    """Score the pages' paragraphs, and keep the best in order."""
    if not context.selection:
        return {"external": [as_knowledge(page) for page in state.pages]}
    scoring = (context.strip_evaluator, context.strip_top_k, context.floor)
    few = partial(refine, scored=context.max_paragraphs)
    best = await to_thread(few, state.question, state.pages, "paragraphs", *scoring)
    return {"external": best}
