"""Search the web (section 4.5)."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import SearchError
from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import SearchResult, Usage
from errata.tools.web.search import search_web


class Searched(TypedDict):
    """Add what the engine found."""

    found: SearchResult | None
    usage: Usage
    notes: list[str]


@step
async def search(state: Crag, runtime: Runtime[CragContext]) -> Searched:
    """Search once; a failure is noted and leaves what was retrieved."""
    context = settings(runtime)
    if context.search == "none":
        note = "nothing was searched for: search is none"
        return {"found": None, "usage": Usage(), "notes": [note]}
    usage = Usage(searches=1, by_role={"search": {"searches": 1}})
    try:
        found = await search_web(state.queries[0], context.search, context.limits, context.cache)
    except SearchError as error:
        return {"found": None, "usage": usage, "notes": [str(error)]}
    notes = [] if found.hits else [f"{context.search} found nothing for {state.queries[0]!r}"]
    return {"found": found, "usage": usage, "notes": notes}
