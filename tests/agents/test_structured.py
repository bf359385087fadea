"""Answers that are no plain message: fields of an object, or what a tool hands out directly."""

import json
from dataclasses import dataclass

import pytest
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.tools import tool
from pydantic import BaseModel
from typing_extensions import TypedDict

from example import CLAIMS, CORRECTED_CLAIM, QUESTION

WRONG, RIGHT = CLAIMS[0], CORRECTED_CLAIM
REQUEST = {"messages": [{"role": "user", "content": QUESTION}]}


class Person(BaseModel):
    """What is known of a person."""

    summary: str
    year: int = 0


@dataclass
class Life:
    """The same as a dataclass."""

    summary: str
    year: int = 0


class Entry(TypedDict):
    """The same as a mapping."""

    summary: str
    year: int


class Nested(BaseModel):
    """Fields inside others."""

    people: list[Person]
    name: str = "Curie"


class Numbers(BaseModel):
    """No text at all."""

    year: int


FIELDS = {"summary": WRONG, "year": 1865}
NESTED = {"people": [{"summary": CLAIMS[1]}, FIELDS]}


@tool(return_direct=True)
def announce(about: str) -> str:
    """Say when she was born."""
    return WRONG if about else ""


@pytest.fixture(params=[ToolStrategy, ProviderStrategy])
def run(agent, request):
    """What an agent ends with that answers in fields, by a call or as JSON."""

    def make(schema, fields, **options):
        reply = AIMessage(json.dumps(fields))
        if request.param is ToolStrategy:
            reply = AIMessage("", tool_calls=[ToolCall(name=schema.__name__, args=fields, id="f")])
        return agent(writer={"reply": reply}, form=request.param(schema), **options).invoke(REQUEST)

    return make


@pytest.mark.parametrize("schema", [Person, Life, Entry, Nested])
def test_an_answer_in_fields_is_judged_and_left(run, schema):
    out = run(schema, NESTED if schema is Nested else FIELDS)
    about = out["messages"][-1].additional_kwargs["errata"]
    assert (about["mode"], about["label"], about["checked"]) == ("annotate", "refuted", True)
    assert isinstance(out["structured_response"], dict if schema is Entry else schema)
    assert WRONG in str(out["structured_response"])
    assert RIGHT not in str([message.content for message in out["messages"][3:]])
    assert about["edits"][0]["after"] == "1867"


@pytest.mark.parametrize(
    ("schema", "fields", "checked"),
    [(Person, FIELDS, True), (Nested, NESTED, True), (Numbers, {"year": 1865}, False)],
)
def test_a_blocked_answer_leaves_nothing_behind(run, schema, fields, checked):
    out = run(schema, fields, mode="block")
    assert out["structured_response"] is None
    assert "1865" not in str([(m.content, getattr(m, "tool_calls", 0)) for m in out["messages"]])
    assert out["messages"][-1].content.startswith("I held my answer back")
    assert out["errata"]["checked"] is checked


@pytest.mark.parametrize("mode", ["correct", "block", "annotate"])
def test_a_right_answer_stays_as_it_was(run, mode):
    right = {"summary": RIGHT, "year": 1867}
    assert run(Person, right, mode=mode)["structured_response"] == Person(**right)


def test_a_wrong_answer_that_is_annotated_and_one_without_a_text_stay(run):
    out = run(Numbers, {"year": 1865})
    assert out["structured_response"] == Numbers(year=1865)
    assert out["errata"]["checked"] is False
    assert out["messages"][-1].additional_kwargs["errata"]["checked"] is False


@pytest.mark.parametrize("mode", ["correct", "annotate", "block"])
def test_what_a_tool_returns_directly_is_checked(agent, mode):
    said = {"correct": RIGHT, "annotate": WRONG, "block": "I held my answer back"}[mode]
    call = ToolCall(name="announce", args={"about": "Curie"}, id="a1")
    reply = AIMessage("", tool_calls=[call])
    out = agent(tools=[announce], writer={"reply": reply}, mode=mode).invoke(REQUEST)
    assert out["messages"][-1].content.startswith(said)
    assert out["messages"][-1].tool_call_id == "a1"
    assert out["errata"]["label"] == "refuted"
