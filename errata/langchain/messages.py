"""What chains and agents hand on: a question, an answer, and what their tools returned.

An agent's answer is a message, the fields of an object, or a tool's own words.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from typing import Any, Literal

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    ToolMessage,
)
from langchain_core.messages.content import Citation
from pydantic import BaseModel

from errata.core.errors import InputError
from errata.core.records import Document
from errata.given import as_documents
from errata.nodes.citing import STANDARD, text_block
from errata.tools.retrieval.langchain import add_tool_results, read_tool_messages

KEYS = {
    "question": ("question", "input", "query"),
    "draft": ("draft", "answer", "output", "response", "result"),
    "documents": ("documents", "context", "source_documents"),
}
"""LangChain's names for a question, an answer, and what was retrieved for it."""
VALUE = "structured_response"
_WORDS = 3
"""A text of fewer words is a name or a value, and no statement."""


def read_request(value: object, own: Mapping[str, str]) -> dict[str, Any]:
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
        "documents": add_tool_results(documents, messages),
        "place": place,
    }


def as_mapping(value: object) -> Any:
    """A graph's state, which may be an object, as a mapping of its fields."""
    if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        return dict(vars(value))
    return value


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
    own: dict[str, Any] = {"additional_kwargs": {**message.additional_kwargs, "errata": annotation}}
    if citations and text:
        kept: list[Any] = [each for each in message.content_blocks if each["type"] != "text"]
        own["content"] = [*kept, text_block(text, citations)]
        own["response_metadata"] = {**message.response_metadata, **STANDARD}
    elif text is not None and text != str(message.text).strip():
        parts = [] if isinstance(message.content, str) else message.content
        kept = [each for each in parts if isinstance(each, dict) and each.get("type") != "text"]
        is_text = isinstance(message.content, str)
        own["content"] = text if is_text else [*kept, {"type": "text", "text": text}]
    return message.model_copy(update=own)


@dataclass(frozen=True)
class AgentAnswer:
    """A question, the answer's text, and where the answer stands."""

    question: str
    draft: str
    said: Sequence[AnyMessage] = ()
    """The messages that hold the answer: one, or a call and the tool's message on it."""
    in_fields: bool = False
    """Whether it is a structured response, whose texts are the draft."""

    def withheld(self, text: str, annotation: dict[str, Any]) -> dict[str, Any]:
        """The state's update with a text in place of the answer, of which nothing is left."""
        first, *rest = self.said
        own = {"additional_kwargs": {"errata": annotation}}
        if isinstance(first, ToolMessage):
            told = first.model_copy(update={"content": text, "artifact": None, **own})
            return {"messages": [told]}
        if not self.in_fields:
            return {"messages": [annotate(first, text, annotation)]}
        message = AIMessage(text, id=first.id, name=first.name, **own)
        gone = [RemoveMessage(id=str(each.id)) for each in rest]
        return {"messages": [message, *gone], VALUE: None}


def final_answer(state: Mapping[str, Any]) -> AgentAnswer:
    """The answer at the end of an agent's turn; without a draft if there is none."""
    messages, value = state["messages"], state.get(VALUE)
    question, text = question_and_answer(messages)
    said = [*messages[-1:]] if text else []
    fields = list(dict.fromkeys(_statements_in(value)))
    in_fields = value is not None and isinstance(_read_json(text), dict | list)
    if messages and isinstance(last := messages[-1], ToolMessage):
        question, text, said = last_question(messages), str(last.text).strip(), [last]
        calls = (each for each in reversed(messages) if isinstance(each, AIMessage))
        call = next((each for each in calls if _args_of(each, last)), None)
        # A response that an earlier turn left is not what a tool returns directly.
        told = {*_statements_in(_args_of(call, last))} if call else set()
        in_fields = value is not None and call is not None and {*fields} <= told
        said = [call, last] if call and in_fields else said
    return AgentAnswer(question, "\n\n".join(fields) if in_fields else text, said, in_fields)


def _args_of(message: AIMessage, told: ToolMessage) -> dict[str, Any]:
    calls = message.tool_calls
    return next((call["args"] for call in calls if call["id"] == told.tool_call_id), {})


def _read_json(text: str) -> Any:
    with suppress(ValueError):
        return json.loads(text)
    return None


def _statements_in(value: object) -> Iterator[str]:
    value = as_mapping(value)
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for each in value:
            yield from _statements_in(each)
    elif isinstance(value, str) and len(value.split()) >= _WORDS:
        yield value
