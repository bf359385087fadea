"""An agent's conversation: its question and answer, and what its tools returned."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from langchain_core.documents import Document as LangChainDocument
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from errata.core.records import Document
from errata.tools.retrieval.langchain import from_langchain


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
    """What tools returned: their Document artifacts if there are any, else their text."""
    if scope == "none":
        return []
    questions = [n for n, message in enumerate(messages) if isinstance(message, HumanMessage)]
    since = questions[-1] if questions and scope == "turn" else 0
    results = [m for m in messages[since:] if isinstance(m, ToolMessage) and m.status != "error"]
    return list(dict.fromkeys(document for message in results for document in _documents(message)))


def _documents(message: ToolMessage) -> Iterable[Document]:
    artifact = message.artifact if isinstance(message.artifact, list | tuple) else ()
    documents = [
        from_langchain(item, "given") for item in artifact if isinstance(item, LangChainDocument)
    ]
    return documents or [Document(text=str(message.text), title=message.name or "")]


def annotate(message: AnyMessage, text: str, annotation: dict[str, Any]) -> AnyMessage:
    """The message under the same id, with another text and the annotation under `errata`."""
    kwargs = {**message.additional_kwargs, "errata": annotation}
    content = message.content if text == str(message.text).strip() else _with_text(message, text)
    return message.model_copy(update={"content": content, "additional_kwargs": kwargs})


def _with_text(message: AnyMessage, text: str) -> Any:
    """The message's content with its text replaced; other parts, such as reasoning, stay."""
    if isinstance(message.content, str):
        return text
    others = [part for part in message.content if _kind(part) != "text"]
    return [*others, {"type": "text", "text": text}]


def _kind(part: object) -> object:
    return part.get("type") if isinstance(part, dict) else "text"
