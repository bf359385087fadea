"""Answers that are no plain message: fields of an object, or what a tool hands out directly."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from pydantic import BaseModel
from typing_extensions import TypedDict

from errata import FactCorrection

PAGE = "The Tower Bridge of Halden opened in 1934. It is 240 metres long."
WRONG = "The Tower Bridge of Halden opened in 1931."
RIGHT = WRONG.replace("1931", "1934")
REQUEST = {"messages": [{"role": "user", "content": "When did the bridge open?"}]}


class Bridge(BaseModel):
    """What is known of a bridge."""

    summary: str
    year: int = 0


@dataclass
class Span:
    """The same as a dataclass."""

    summary: str
    year: int = 0


class Place(TypedDict):
    """The same as a mapping."""

    summary: str
    year: int


class Nested(BaseModel):
    """Fields inside others."""

    bridges: list[Bridge]
    name: str = "Halden"


class Numbers(BaseModel):
    """No text at all."""

    year: int


FIELDS = {"summary": WRONG, "year": 1931}
NESTED = {"bridges": [{"summary": "The Tower Bridge of Halden is 240 metres long."}, FIELDS]}


@tool
def search(about: str) -> str:
    """Search."""
    return PAGE if about else ""


@tool(return_direct=True)
def announce(about: str) -> str:
    """Say when it opened."""
    return WRONG if about else ""


class Model(BaseChatModel):
    """A model that searches first, and then ends in a way of its own."""

    last: Any

    @property
    def _llm_type(self):
        return "model"

    def bind_tools(self, *_, **__):
        return self

    def _generate(self, messages, *_, **__):
        reply = self.last
        if messages[-1].type == "human":
            call = ToolCall(name="search", args={"about": "bridge"}, id="s1")
            reply = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=reply)])


def run(form, fields, *, tools=(search,), **options):
    """What an agent ends with that answers in fields, by a call or as JSON."""
    if form is ToolStrategy:
        schema = options.pop("schema")
        name = schema.__name__
        last = AIMessage("", tool_calls=[ToolCall(name=name, args=fields, id="f1")])
    else:
        schema = options.pop("schema")
        last = AIMessage(json.dumps(fields, indent=options.pop("indent", None)))
    middleware = [FactCorrection(**options)]
    agent = create_agent(
        Model(last=last), [*tools], middleware=middleware, response_format=form(schema)
    )
    return agent.invoke(REQUEST)


@pytest.mark.parametrize("form", [ToolStrategy, ProviderStrategy])
@pytest.mark.parametrize(
    ("schema", "fields"), [(Bridge, FIELDS), (Span, FIELDS), (Place, FIELDS), (Nested, NESTED)]
)
def test_an_answer_in_fields_is_judged_and_left(form, schema, fields):
    out = run(form, fields, schema=schema)
    about = out["messages"][-1].additional_kwargs["errata"]
    assert (about["mode"], about["label"], about["checked"]) == ("annotate", "refuted", True)
    assert isinstance(out["structured_response"], dict if schema is Place else schema)
    assert WRONG in str(out["structured_response"])
    assert RIGHT not in str([message.content for message in out["messages"][3:]])
    assert about["edits"][0]["after"] == "1934"


@pytest.mark.parametrize("form", [ToolStrategy, ProviderStrategy])
@pytest.mark.parametrize(
    ("schema", "fields", "checked"),
    [(Bridge, FIELDS, True), (Nested, NESTED, True), (Numbers, {"year": 1931}, False)],
)
def test_a_blocked_answer_leaves_nothing_behind(form, schema, fields, checked):
    out = run(form, fields, schema=schema, mode="block")
    assert out["structured_response"] is None
    assert "1931" not in str([(m.content, getattr(m, "tool_calls", 0)) for m in out["messages"]])
    assert out["messages"][-1].content.startswith("I held my answer back")
    assert out["errata"]["checked"] is checked


@pytest.mark.parametrize("form", [ToolStrategy, ProviderStrategy])
def test_a_right_answer_stays_as_it_was(form):
    for mode in ("correct", "block", "annotate"):
        out = run(form, {"summary": RIGHT, "year": 1934}, schema=Bridge, mode=mode)
        assert out["structured_response"] == Bridge(summary=RIGHT, year=1934)
    out = run(form, FIELDS, schema=Bridge, mode="annotate")
    assert out["structured_response"] == Bridge(**FIELDS)


def test_fields_without_a_text_say_that_nothing_was_checked():
    out = run(ToolStrategy, {"year": 1931}, schema=Numbers)
    assert out["structured_response"] == Numbers(year=1931)
    assert out["errata"]["checked"] is False
    assert out["messages"][-1].additional_kwargs["errata"]["checked"] is False


@pytest.mark.parametrize(
    ("mode", "said"), [("correct", RIGHT), ("annotate", WRONG), ("block", "I held my answer back")]
)
def test_what_a_tool_returns_directly_is_checked(mode, said):
    last = AIMessage("", tool_calls=[ToolCall(name="announce", args={"about": "b"}, id="a1")])
    agent = create_agent(
        Model(last=last), [search, announce], middleware=[FactCorrection(mode=mode)]
    )
    out = agent.invoke(REQUEST)
    assert out["messages"][-1].content.startswith(said)
    assert out["messages"][-1].tool_call_id == "a1"
    assert out["errata"]["label"] == "refuted"
