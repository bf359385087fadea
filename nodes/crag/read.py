"""Read the pages that the search led to (section 4.5, appendix B.3)."""

from typing import TypedDict

from errata.bounds import current_bounds
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.ledger import note, spend
from errata.nodes.step import step
from errata.records import Document, Usage
from errata.tools.retrieval.filters import assign_ids, drop_domains
from errata.tools.web.pages import PageLimits, read_pages
from errata.tools.web.search import engine_answers, wikipedia_first


class Read(TypedDict):
    """What the web says."""

    pages: list[Document]


@step
async def read(state: Crag, context: CragContext) -> Read:
    """Read the best pages all at once; one that cannot be read is noted."""
    if state.found is None:
        return {"pages": []}
    hits = wikipedia_first(state.found.hits, wikipedia=context.prefer_wikipedia)
    best = drop_domains(hits, context.blocked_domains)[: context.search_top_k]
    seconds = min(context.page_timeout, current_bounds().seconds_left)
    limits = PageLimits(seconds=seconds, size=context.page_bytes)
    pages, notes = await read_pages(best, limits)
    note(*notes)
    spend(Usage(pages=len(pages), by_role={"read": {"pages": len(pages)}}))
    documents = assign_ids([*state.documents, *engine_answers(state.found), *pages])
    return {"pages": documents[len(state.documents) :]}
