"""The answer that an agent ends with: a message, fields of an object, or a tool's own words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolMessage
from pydantic import BaseModel

from errata.langchain.messages import annotate, last_question, question_and_answer

VALUE = "structured_response"
_WORDS = 3
"""A text of fewer words is a name or a value, and no statement."""


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
        call = _call_of(last, messages)
        # A response that an earlier turn left is not what a tool returns directly.
        told = {*_statements_in(_args_of(call, last))} if call else set()
        in_fields = value is not None and call is not None and {*fields} <= told
        said = [call, last] if call and in_fields else said
    return AgentAnswer(question, "\n\n".join(fields) if in_fields else text, said, in_fields)


def _call_of(told: ToolMessage, messages: Sequence[AnyMessage]) -> AIMessage | None:
    """The message whose call a tool's message answers."""
    calls = (message for message in reversed(messages) if isinstance(message, AIMessage))
    return next((message for message in calls if _args_of(message, told)), None)


def _args_of(message: AIMessage, told: ToolMessage) -> dict[str, Any]:
    calls = message.tool_calls
    return next((call["args"] for call in calls if call["id"] == told.tool_call_id), {})


def _read_json(text: str) -> Any:
    with suppress(ValueError):
        return json.loads(text)
    return None


def _statements_in(value: object) -> Iterator[str]:
    """The statements in an answer's fields."""
    if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        value = vars(value)
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for each in value:
            yield from _statements_in(each)
    elif isinstance(value, str) and len(value.split()) >= _WORDS:
        yield value
