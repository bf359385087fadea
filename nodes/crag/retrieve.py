"""Retrieve by the question."""

from typing import TypedDict

from errata.core.records import Document
from errata.nodes.answers import AnswerContext, AnswerState
from errata.nodes.shared.retrieve import retrieve_documents
from errata.nodes.step import step


class Retrieved(TypedDict):
    """The documents to be judged."""

    documents: list[Document]


@step
async def retrieve(state: AnswerState, context: AnswerContext) -> Retrieved:
    """Add the corpus's best documents to the given ones, and trim both."""
    return {"documents": await retrieve_documents(state.question, state.documents, context)}
