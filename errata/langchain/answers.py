"""The answer that an agent ends with: a message, fields of an object, or a tool's own words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolMessage
from langchain_core.messages.content import Citation

from errata.core.records import Correction
from errata.langchain.messages import annotate, last_question, question_and_answer
from errata.langchain.structured import (
    GAP,
    Changes,
    changes_by,
    in_json,
    read_json,
    rebuild,
    statements_of,
)

VALUE = "structured_response"
NO_TEXT = "the structured answer holds no text to check"


@dataclass(frozen=True)
class AgentAnswer:
    """A question, the answer's text, and where the answer stands."""

    question: str
    draft: str
    said: Sequence[AnyMessage] = ()
    """The messages that hold the answer: one, or a call and the tool's message on it."""
    value: Any = None
    """The agent's structured response."""
    fields: list[str] = field(default_factory=list)

    @property
    def fault(self) -> str:
        """Why the answer cannot be checked whatever the evidence."""
        return NO_TEXT if self.value is not None and not self.fields else ""

    def written(
        self,
        text: str,
        annotation: dict[str, Any],
        citations: Sequence[Citation] = (),
        changes: Changes | None = None,
    ) -> dict[str, Any]:
        """The state's update with another text, and what was found on the last message."""
        if self.value is None:
            return {"messages": [annotate(self.said[-1], text, annotation, citations)]}
        changes, value = changes or {}, rebuild(self.value, changes or {})
        known = (self.value, value, changes)
        told = [_with_fields(message, *known, annotation) for message in self.said]
        return {"messages": told, VALUE: value}

    def withheld(self, text: str, annotation: dict[str, Any]) -> dict[str, Any]:
        """The state's update with a text in place of the answer, of which nothing is left."""
        first, *rest = self.said
        if isinstance(first, ToolMessage):
            told = first.model_copy(
                update={"content": text, "artifact": None, "additional_kwargs": annotation}
            )
            return {"messages": [told]}
        if self.value is None:
            return {"messages": [annotate(first, text, annotation["errata"])]}
        message = AIMessage(text, id=first.id, name=first.name, additional_kwargs=annotation)
        gone = [RemoveMessage(id=str(each.id)) for each in rest]
        return {"messages": [message, *gone], VALUE: None}

    def changes(self, correction: Correction) -> Changes | None:
        """What the fields become by a correction; None if they cannot."""
        changes = changes_by(correction.edits, self.fields)
        try:
            rebuild(self.value, changes or {})
        except (TypeError, ValueError):
            return None
        return changes


def final_answer(state: Mapping[str, Any]) -> AgentAnswer:
    """The answer at the end of an agent's turn; without a draft if there is none."""
    messages, value = state["messages"], state.get(VALUE)
    last = messages[-1] if messages else None
    fields = statements_of(value)
    if isinstance(last, ToolMessage):
        asked = last_question(messages)
        call = _call_of(last, messages)
        args = {} if call is None else _args_of(call, str(last.tool_call_id))
        if value is not None and call is not None and set(fields) <= set(statements_of(args)):
            return AgentAnswer(asked, GAP.join(fields), [call, last], value, fields)
        return AgentAnswer(asked, str(last.text).strip(), [last])
    question, text = question_and_answer(messages)
    if value is not None and text and read_json(text) is not None:
        return AgentAnswer(question, GAP.join(fields), [messages[-1]], value, fields)
    return AgentAnswer(question, text, messages[-1:] if text else ())


def _call_of(told: ToolMessage, messages: Sequence[AnyMessage]) -> AIMessage | None:
    """The message whose call a tool's message answers."""
    calls = (m for m in reversed(messages) if isinstance(m, AIMessage))
    return next((m for m in calls if _args_of(m, str(told.tool_call_id))), None)


def _args_of(message: AIMessage, call_id: str) -> dict[str, Any]:
    return next((call["args"] for call in message.tool_calls if call["id"] == call_id), {})


def _with_fields(
    message: AnyMessage, old: Any, new: Any, changes: Changes, annotation: dict[str, Any]
) -> AnyMessage:
    """A message that holds a structured answer, with its new fields."""
    text = str(message.text)
    if isinstance(message, AIMessage) and message.tool_calls:
        calls = [{**call, "args": rebuild(call["args"], changes)} for call in message.tool_calls]
        kwargs = {n: x for n, x in message.additional_kwargs.items() if n != "tool_calls"}
        content = message.content if isinstance(message.content, str) or not changes else ""
        own = {"tool_calls": calls, "content": content}
        return message.model_copy(
            update={**own, "additional_kwargs": {**kwargs, "errata": annotation}}
        )
    if isinstance(message, AIMessage):
        return annotate(message, in_json(text, changes) if changes else text.strip(), annotation)
    for before, after in ((str(old), str(new)), *changes.items()):
        text = text.replace(before, after)
    return annotate(message, text.strip(), annotation)
