"""Collect the evidence for each claim from what its queries find (section 4.3)."""

from typing import TypedDict

from errata.core.records import Document
from errata.nodes.factool.state import Factool, FactoolContext
from errata.nodes.shared.evidence import find_evidence
from errata.nodes.step import step


class Found(TypedDict):
    """The documents, and which of them each claim is judged by."""

    documents: list[Document]
    evidence: list[list[str]]


@step
async def search(state: Factool, context: FactoolContext) -> Found:
    """Search for all queries at once; given documents are evidence on every claim."""
    queries = list(dict.fromkeys(query for own in state.queries for query in own))
    documents, found = await find_evidence(queries, state.documents, context, "search")
    ids = {q: [d.id for d in own] for q, own in zip(queries, found, strict=True)}
    evidence = [
        list(dict.fromkeys(d for query in own for d in ids[query])) for own in state.queries
    ]
    return {"documents": documents, "evidence": evidence}
