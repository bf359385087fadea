"""Retrieve once, by what was asked, and make the documents related and short (section 3.2)."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.shared.receive import retrieved
from errata.nodes.step import step
from errata.records import Document, Usage


class Retrieved(TypedDict):
    """Add the documents that everything rests on."""

    documents: list[Document]
    usage: Usage
    notes: list[str]


@step
async def retrieve(state: Rac, runtime: Runtime[RacContext]) -> Retrieved:
    """Add what the corpus holds to the given documents, and trim both."""
    query = state.question or state.draft
    documents, usage = await retrieved(query, state.documents, settings(runtime))
    notes = [] if documents else ["there is no document to judge by: no claim can be checked"]
    return {"documents": documents, "usage": usage, "notes": notes}
