"""Begin: take the question from its field or from the chat."""

from typing import TypedDict

from errata.core.errors import InputError
from errata.core.records import Document
from errata.nodes.answers import AnswerContext, AnswerState
from errata.nodes.shared.receive import read_chat, readable, whole_characters
from errata.nodes.step import opening


class Received(TypedDict):
    """The question, and the given documents."""

    question: str
    documents: list[Document]


@opening
async def receive(state: AnswerState, context: AnswerContext) -> Received:
    """Take the question and the documents.

    Raises InputError if there is no question.
    """
    question, _ = read_chat(state.messages) or (state.question, "")
    if not question.strip():
        raise InputError("the question is empty; ask something")
    question = whole_characters(question)
    return {"question": question, "documents": readable(state.documents, context.max_documents)}
