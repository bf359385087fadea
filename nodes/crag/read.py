"""Read the pages that the search found (section 4.5, appendix B.3)."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import Document, Usage
from errata.tools.retrieval.filters import assign_ids, drop_domains
from errata.tools.web.pages import PageLimits, read_pages
from errata.tools.web.search import engine_answers, wikipedia_first


class Read(TypedDict):
    """Add what the web says."""

    pages: list[Document]
    usage: Usage
    notes: list[str]


@step
async def read(state: Crag, runtime: Runtime[CragContext]) -> Read:
    """Read the best pages all at once; one that cannot be read is noted."""
    context = settings(runtime)
    if state.found is None:
        return {"pages": [], "usage": Usage(), "notes": []}
    hits = wikipedia_first(state.found.hits, wikipedia=context.prefer_wikipedia)
    wanted = drop_domains(hits, context.blocked_domains)[: context.search_top_k]
    limits = PageLimits(seconds=context.page_timeout, size=context.page_bytes)
    pages, notes = await read_pages(wanted, limits)
    usage = Usage(pages=len(pages), by_role={"read": {"pages": len(pages)}})
    taken = [*state.documents, *engine_answers(state.found), *pages]
    return {"pages": assign_ids(taken)[len(state.documents) :], "usage": usage, "notes": notes}
