"""Read the pages that the search led to (section 4.5, appendix B.3)."""

from typing import TypedDict

from errata.core.records import Document
from errata.nodes.answers import AnswerState
from errata.nodes.crag.web import WebContext
from errata.nodes.shared.web import read_hits
from errata.nodes.step import step
from errata.tools.retrieval.filters import assign_ids
from errata.tools.web.search import engine_answers, wikipedia_first


class Read(TypedDict):
    """What the web says."""

    pages: list[Document]


@step
async def read(state: AnswerState, context: WebContext) -> Read:
    """Read the best pages all at once; one that cannot be read is noted."""
    if state.found is None:
        return {"pages": []}
    hits = wikipedia_first(state.found.hits, wikipedia=context.prefer_wikipedia)
    pages = await read_hits(hits[: context.search_top_k], context, "read")
    documents = assign_ids([*state.documents, *engine_answers(state.found), *pages])
    return {"pages": documents[len(state.documents) :]}
