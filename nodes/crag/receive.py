"""Begin: take the question from the fields or from the chat."""

from typing import TypedDict

from errata.errors import InputError
from errata.nodes.crag.state import Crag
from errata.nodes.shared.receive import in_chat, readable
from errata.nodes.step import opening
from errata.records import Document, Knowledge, SearchResult, Usage


class Received(TypedDict):
    """Add what was asked, and clear what an earlier run on the same thread left behind."""

    question: str
    documents: list[Document]
    scores: dict[str, float | None]
    internal: list[Knowledge]
    queries: list[str]
    found: SearchResult | None
    pages: list[Document]
    external: list[Knowledge]
    usage: Usage
    notes: list[str]


@opening
async def receive(state: Crag) -> Received:
    """Settle what is asked.

    Raises InputError where there is no question.
    """
    question, _ = in_chat(state.messages) or (state.question, "")
    if not question.strip():
        raise InputError("the question is empty; ask something")
    given, notes = readable(state.documents)
    return {
        "question": question,
        "documents": given,
        "scores": {},
        "internal": [],
        "queries": [],
        "found": None,
        "pages": [],
        "external": [],
        "usage": Usage(),
        "notes": notes,
    }
