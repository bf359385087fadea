"""What chains and agents hand on: a question, an answer, and what their tools returned."""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.messages.content import Citation
from pydantic import BaseModel

from errata.core.errors import InputError
from errata.core.records import Document
from errata.nodes.citing import STANDARD, text_block
from errata.tools.retrieval.langchain import read_tool_messages

KEYS = {
    "question": ("question", "input", "query"),
    "draft": ("draft", "answer", "output", "response", "result"),
    "documents": ("documents", "context", "source_documents"),
}
"""LangChain's names for a question, an answer, and what was retrieved for it."""


def read_request(value: object) -> dict[str, Any]:
    """Question, draft and documents in what a chain or an agent hands on.

    Raises InputError if there is no text.
    """
    if isinstance(value, str | BaseMessage):
        text = value if isinstance(value, str) else str(value.text)
        return {"question": "", "draft": text, "documents": ()}
    value = as_mapping(value)
    if not isinstance(value, Mapping):
        raise InputError(f"cannot read a {type(value).__name__}; give a text or a mapping")
    if "messages" in value:
        question, draft = question_and_answer(value["messages"])
        documents = evidence_in(value["messages"], "conversation")
        return {"question": question, "draft": draft, "documents": documents}
    parts = {part: first_of(value, names) for part, names in KEYS.items()}
    if not (parts["question"] or parts["draft"]):
        names = " or ".join((*KEYS["question"], *KEYS["draft"]))
        raise InputError(f"{', '.join(value) or 'an empty mapping'} came without text in {names}")
    draft = parts["draft"] or ""
    return {
        "question": parts["question"] or "",
        "draft": str(draft.text) if isinstance(draft, BaseMessage) else draft,
        "documents": parts["documents"] or (),
    }


def as_mapping(value: object) -> object:
    """A graph's state, which may be an object, as a mapping of its fields."""
    is_object = isinstance(value, BaseModel) or (
        is_dataclass(value) and not isinstance(value, type)
    )
    return dict(vars(value)) if is_object else value


def first_of(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The first of the named values that is not empty; None if there is none."""
    return next((value[name] for name in names if value.get(name)), None)


def question_and_answer(messages: Sequence[AnyMessage]) -> tuple[str, str]:
    """The last question and the final answer to it; empty if the last message is no answer."""
    last = messages[-1] if messages else None
    if not isinstance(last, AIMessage) or last.tool_calls:
        return "", ""
    questions = [message for message in messages if isinstance(message, HumanMessage)]
    return (str(questions[-1].text) if questions else ""), str(last.text).strip()


def evidence_in(
    messages: Sequence[AnyMessage], scope: Literal["turn", "conversation", "none"]
) -> list[Document]:
    """What tools returned, as `read_tool_messages` does."""
    if scope == "none":
        return []
    questions = [n for n, message in enumerate(messages) if isinstance(message, HumanMessage)]
    since = questions[-1] if questions and scope == "turn" else 0
    return read_tool_messages(messages[since:])


def annotate(
    message: AnyMessage,
    text: str,
    annotation: dict[str, Any],
    citations: Sequence[Citation] = (),
) -> AnyMessage:
    """The message under the same id, with another text and the annotation under `errata`.

    Other parts of its content, such as reasoning, stay. With citations it is in LangChain's
    standard form, whatever the provider's is.
    """
    kwargs = {**message.additional_kwargs, "errata": annotation}
    if citations:
        kept = [block for block in message.content_blocks if block["type"] != "text"]
        return message.model_copy(
            update={
                "content": [*kept, text_block(text, citations)],
                "additional_kwargs": kwargs,
                "response_metadata": {**message.response_metadata, **STANDARD},
            }
        )
    content: Any = message.content
    if text != str(message.text).strip():
        parts = [] if isinstance(content, str) else content
        others = [part for part in parts if isinstance(part, dict) and part.get("type") != "text"]
        content = text if isinstance(content, str) else [*others, {"type": "text", "text": text}]
    return message.model_copy(update={"content": content, "additional_kwargs": kwargs})
