"""What chains and agents hand on: a question, an answer, and what their tools returned."""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from types import MappingProxyType
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.messages.content import Citation
from pydantic import BaseModel

from errata.core.errors import InputError
from errata.core.records import Document
from errata.given import as_documents
from errata.nodes.citing import STANDARD, text_block
from errata.tools.retrieval.langchain import add_told, read_tool_messages

KEYS = {
    "question": ("question", "input", "query"),
    "draft": ("draft", "answer", "output", "response", "result"),
    "documents": ("documents", "context", "source_documents"),
}
"""LangChain's names for a question, an answer, and what was retrieved for it."""
NO_NAMES: Mapping[str, str] = MappingProxyType({})


def read_request(value: object, own: Mapping[str, str] = NO_NAMES) -> dict[str, Any]:
    """Question, draft and documents in what a chain or an agent hands on; empty if not there.

    Messages count before other names, save a caller's `own`. `place` is the name that the draft
    had. Raises InputError for what is no text, message, mapping or state, or lacks a name of `own`.
    """
    if isinstance(value, str | BaseMessage):
        text = value if isinstance(value, str) else str(value.text)
        return {"question": "", "draft": text, "documents": [], "place": ""}
    value = as_mapping(value)
    if not isinstance(value, Mapping):
        raise InputError(f"cannot read a {type(value).__name__}; give a text or a mapping")
    for part, name in own.items():
        if name not in value:
            there = f"it has {', '.join(map(str, value)) or 'no keys'}"
            raise InputError(f"the state has no {name!r}, named by {part}={name!r}; {there}")
    names = KEYS | {part: (name,) for part, name in own.items()}
    found = {part: next((n for n in names[part] if value.get(n)), "") for part in KEYS}
    messages = value.get("messages") or ()
    asked, answer = question_and_answer(messages)
    place = "messages" if answer and "draft" not in own else found["draft"]
    draft = answer if place == "messages" else value.get(place, "")
    question = "" if "question" in own else asked
    documents = as_documents(value.get(found["documents"], ()))
    return {
        "question": question or value.get(found["question"], ""),
        "draft": str(draft.text) if isinstance(draft, BaseMessage) else draft,
        "documents": add_told(documents, messages),
        "place": place,
    }


def as_mapping(value: object) -> Any:
    """A graph's state, which may be an object, as a mapping of its fields."""
    is_object = isinstance(value, BaseModel) or (
        is_dataclass(value) and not isinstance(value, type)
    )
    return dict(vars(value)) if is_object else value


def question_and_answer(messages: Sequence[AnyMessage]) -> tuple[str, str]:
    """The last question and the final answer to it; empty if the last message is no answer."""
    last = messages[-1] if messages else None
    if not isinstance(last, AIMessage) or last.tool_calls:
        return "", ""
    return last_question(messages), str(last.text).strip()


def last_question(messages: Sequence[AnyMessage]) -> str:
    """What a person said last; empty if none did."""
    questions = [message for message in messages if isinstance(message, HumanMessage)]
    return str(questions[-1].text) if questions else ""


def evidence_in(
    messages: Sequence[AnyMessage], scope: Literal["turn", "conversation", "none"]
) -> list[Document]:
    """What tools returned, as `read_tool_messages` does, without answers that were checked."""
    if scope == "none":
        return []
    questions = [n for n, message in enumerate(messages) if isinstance(message, HumanMessage)]
    since = questions[-1] if questions and scope == "turn" else 0
    return read_tool_messages(m for m in messages[since:] if "errata" not in m.additional_kwargs)


def annotate(
    message: AnyMessage,
    text: str | None,
    annotation: dict[str, Any],
    citations: Sequence[Citation] = (),
) -> AnyMessage:
    """The message under the same id, with another text, if any, and what is told under `errata`.

    Other parts of its content, such as reasoning, stay. With citations it is in LangChain's
    standard form, whatever the provider's is.
    """
    kwargs = {**message.additional_kwargs, "errata": annotation}
    if citations and text:
        kept = [block for block in message.content_blocks if block["type"] != "text"]
        return message.model_copy(
            update={
                "content": [*kept, text_block(text, citations)],
                "additional_kwargs": kwargs,
                "response_metadata": {**message.response_metadata, **STANDARD},
            }
        )
    content: Any = message.content
    if text is not None and text != str(message.text).strip():
        parts = [] if isinstance(content, str) else content
        others = [part for part in parts if isinstance(part, dict) and part.get("type") != "text"]
        content = text if isinstance(content, str) else [*others, {"type": "text", "text": text}]
    return message.model_copy(update={"content": content, "additional_kwargs": kwargs})
