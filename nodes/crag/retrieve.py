"""Retrieve by the question."""

from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.shared.receive import retrieved
from errata.nodes.step import step
from errata.records import Document, Usage


class Retrieved(TypedDict):
    """Add the documents to be judged."""

    documents: list[Document]
    usage: Usage
    notes: list[str]


@step
async def retrieve(state: Crag, runtime: Runtime[CragContext]) -> Retrieved:
    """Add what the corpus holds to the given documents, and trim both."""
    documents, usage = await retrieved(state.question, state.documents, settings(runtime))
    return {"documents": documents, "usage": usage, "notes": []}
