"""An agent's conversation: what was asked and answered, what its tools found."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from langchain_core.documents import Document as LangChainDocument
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from errata.records import Document
from errata.tools.retrieval.retrieve import from_langchain


def question_and_answer(messages: Sequence[AnyMessage]) -> tuple[str, str]:
    """Give the last question and the final answer to it; empty where the last word is no answer."""
    last = messages[-1] if messages else None
    if not isinstance(last, AIMessage) or last.tool_calls:
        return "", ""
    asked = [message for message in messages if isinstance(message, HumanMessage)]
    return (str(asked[-1].text) if asked else ""), str(last.text).strip()


def evidence_in(
    messages: Sequence[AnyMessage], scope: Literal["turn", "conversation", "none"]
) -> list[Document]:
    """Give what tools found: their documents where they kept some, else their text."""
    if scope == "none":
        return []
    asked = [n for n, message in enumerate(messages) if isinstance(message, HumanMessage)]
    since = asked[-1] if asked and scope == "turn" else 0
    said = [m for m in messages[since:] if isinstance(m, ToolMessage) and m.status != "error"]
    return list(dict.fromkeys(document for message in said for document in _documents(message)))


def _documents(message: ToolMessage) -> Iterable[Document]:
    artifact = message.artifact if isinstance(message.artifact, list | tuple) else ()
    found = [
        from_langchain(item, "given") for item in artifact if isinstance(item, LangChainDocument)
    ]
    return found or [Document(text=str(message.text), title=message.name or "")]


def annotate(message: AnyMessage, text: str, about: dict[str, Any]) -> AnyMessage:
    """Give the message again, by the same id, with another text and what was found about it."""
    kwargs = {**message.additional_kwargs, "errata": about}
    content = message.content if text == str(message.text).strip() else _with_text(message, text)
    return message.model_copy(update={"content": content, "additional_kwargs": kwargs})


def _with_text(message: AnyMessage, text: str) -> Any:
    """Put a text in the place of a message's own; what is no text, such as reasoning, stays."""
    if isinstance(message.content, str):
        return text
    others = [part for part in message.content if _kind(part) != "text"]
    return [*others, {"type": "text", "text": text}]


def _kind(part: object) -> object:
    return part.get("type") if isinstance(part, dict) else "text"
