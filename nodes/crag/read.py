"""Read the pages that the search found (section 4.5, appendix B.3)."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import Document, Usage
from errata.tools.documents import numbered, outside
from errata.tools.pages import PageLimits, read_pages
from errata.tools.search import known, preferred


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
    hits = preferred(state.found.hits, wikipedia=context.prefer_wikipedia)
    wanted = outside(hits, context.blocked_domains)[: context.search_top_k]
    limits = PageLimits(seconds=context.page_timeout, size=context.page_bytes)
    pages, notes = await read_pages(wanted, limits)
    usage = Usage(pages=len(pages), by_role={"read": {"pages": len(pages)}})
    taken = [*state.documents, *known(state.found), *pages]
    return {"pages": numbered(taken)[len(state.documents) :], "usage": usage, "notes": notes}
