"""Search the web (section 4.5)."""

from typing import TypedDict

from errata.core.records import SearchResult
from errata.nodes.answers import AnswerState
from errata.nodes.crag.web import WebContext
from errata.nodes.ledger import note
from errata.nodes.shared.web import find_hits
from errata.nodes.step import step
from errata.tools.web.engines import HITS


class Searched(TypedDict):
    """What the engine answered."""

    found: SearchResult | None


@step
async def search(state: AnswerState, context: WebContext) -> Searched:
    """Search once; a failure is noted and leaves what was retrieved."""
    if context.search == "none":
        note("nothing was searched for: search is none")
        return {"found": None}
    query = state.queries[0]
    found = await find_hits(query, context, "search", HITS)
    if found and not found.hits:
        note(f"{context.search} found nothing for {query!r}")
    return {"found": found}
