"""Begin: take the request from its fields or from the chat."""

import re
from collections.abc import Sequence
from typing import Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from errata.core.errors import InputError, count
from errata.core.limits import note_undone
from errata.core.records import Document
from errata.nodes.ledger import note
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import opening
from errata.tools.files.decoding import without_surrogates
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.questions import asks

_WORD = re.compile(r"\w")
NAME = "errata"
"""The author of our own messages, which are no drafts to correct."""


class Received(TypedDict):
    """What is to be corrected, and by what."""

    question: str
    draft: str
    documents: list[Document]


@opening
async def receive(state: CorrectionState, context: CorrectionContext) -> Received:
    """Take question, draft and documents.

    Raises InputError if there is no draft, and no question that the method writes one to.
    """
    return read_request(state, context)


def read_request(state: CorrectionState, context: CorrectionContext) -> Received:
    """The request's question, draft and documents.

    Raises InputError as `receive` does.
    """
    question, draft = read_chat(state.messages) or (state.question, state.draft)
    if question and not draft and state.messages and not asks(question):
        question, draft = "", question
        note("the message was taken for a draft to check, since it states rather than asks")
    if not draft.strip():
        _check_draft_can_be_written(question, context.method_name(), context)
    text = whole_characters(draft) if draft.strip() else ""
    documents = readable(state.documents, context.max_documents)
    return {"question": whole_characters(question), "draft": text, "documents": documents}


def _check_draft_can_be_written(question: str, method: str, context: CorrectionContext) -> None:
    if "generate" not in context.ROLES:
        raise InputError(f"the draft is empty; {method} corrects a text that is there: give one")
    if not question.strip():
        raise InputError("the draft is empty and so is the question; give at least one of them")


def read_chat(messages: Sequence[AnyMessage]) -> tuple[str, str] | None:
    """Question and draft from a chat; None if its last message is ours, or there is none."""
    last = messages[-1] if messages else None
    if isinstance(last, HumanMessage):
        return str(last.text), ""
    if isinstance(last, AIMessage) and last.name != NAME:
        people = [message for message in messages if isinstance(message, HumanMessage)]
        return (str(people[-1].text) if people else ""), str(last.text)
    return None


def whole_characters(text: str) -> str:
    """The text without lone surrogates, which no file, model or screen takes; noted if any."""
    whole = without_surrogates(text)
    if whole != text:
        note_undone("lone surrogates, which are no characters, were replaced by U+FFFD")
    return whole


def _whole(value: Any) -> Any:
    return whole_characters(value) if isinstance(value, str) else value


def readable(documents: Sequence[Document], limit: int) -> list[Document]:
    """The given documents that hold a word, with ids; at most `limit`, and a note on the others."""
    texts = [d for d in documents if d.source == "given" and _WORD.search(d.text)]
    if len(texts) < len(documents):
        note("documents without a word were left out")
    if len(texts) > limit:
        note(f"{count(len(texts) - limit, 'document', 'was')} left out: max_documents={limit}")
    return assign_ids(
        Document(**{name: _whole(value) for name, value in vars(document).items()})
        for document in texts[:limit]
    )
