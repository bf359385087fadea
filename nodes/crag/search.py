"""Search the web (section 4.5)."""

from typing import TypedDict

from errata.bounds import in_time
from errata.errors import OutOfTimeError, SearchError
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.ledger import note, spend
from errata.nodes.step import step
from errata.records import SearchResult, Usage
from errata.tools.web.search import search_web


class Searched(TypedDict):
    """What the engine answered."""

    found: SearchResult | None


@step
async def search(state: Crag, context: CragContext) -> Searched:
    """Search once; a failure is noted and leaves what was retrieved."""
    if context.search == "none":
        note("nothing was searched for: search is none")
        return {"found": None}
    spend(Usage(searches=1, by_role={"search": {"searches": 1}}))
    query = state.queries[0]
    try:
        async with in_time():
            result = await search_web(query, context.search, context.limits, context.cache)
    except (SearchError, OutOfTimeError) as error:
        note(str(error))
        return {"found": None}
    if not result.hits:
        note(f"{context.search} found nothing for {query!r}")
    return {"found": result}
