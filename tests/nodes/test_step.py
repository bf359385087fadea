"""Steps as a graph's nodes: their state and settings; what they spend and note is added up."""

import asyncio
import json
from operator import add, or_
from typing import Annotated, Any, ClassVar

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START
from langgraph.runtime import Runtime
from pydantic import BaseModel

from errata.core.limits import current_run, open_run, report_progress
from errata.core.records import Claim, Usage
from errata.nodes.run_settings import RunSettings
from errata.nodes.step import MethodGraph, add_samples, add_usage, note

THREAD = {"configurable": {"thread_id": "1"}}


class Settings(RunSettings):
    loud: bool = False


class Request(BaseModel):
    question: str = ""


class State(Request):
    REQUEST: ClassVar = Request
    CONTEXT: ClassVar = Settings

    log: list[str] = []
    claims: list[Claim] = []
    answer: str = "none"
    usage: Annotated[dict[str, Any], add_usage] = {}
    before: dict[str, Any] = {}
    prompts: Annotated[dict[str, str], or_] = {}
    notes: Annotated[list[str], add] = []
    samples: Annotated[dict[str, int], add_samples] = {}


async def receive(state: Request):
    note(f"received {state.question}")
    return {"log": [type(state).__name__, state.answer, *state.notes]}


async def judge(state, runtime: Runtime[Settings]):
    current_run().spend(Usage(model_calls=1), {"prompt": "digest"})
    await asyncio.to_thread(note, "from a thread")
    claim = Claim(id="c1", text=state.question, start=0, end=1)
    return {"claims": [claim], "log": [*state.log, type(state).__name__, str(runtime.context.loud)]}


async def shout(state):
    """Say it again, louder."""
    return {"answer": state.claims[0].text.upper()}


def after_judge(state: State, runtime: Runtime[Settings]) -> str:
    return "shout" if runtime.context.loud and state.claims else "end"


def graph(checkpointer=None):
    return (
        MethodGraph(State, Settings, input_schema=Request)
        .add_sequence([receive, judge])
        .add_node(shout)
        .add_edge(START, "receive")
        .add_conditional_edges("judge", after_judge, {"shout": "shout", "end": END})
        .compile(checkpointer)
    )


def run(question, context=None, compiled=None):
    compiled = compiled or graph()
    config = THREAD if compiled.checkpointer else {}
    return asyncio.run(compiled.ainvoke({"question": question}, config, context=context))


def test_every_step_receives_the_graphs_own_state_class():
    """Also where the step is annotated with a base class, or not at all."""
    assert {node.input_schema for node in graph().builder.nodes.values()} == {State}
    assert run("who?")["log"] == ["State", "none", "State", "False"]


@pytest.mark.parametrize(
    ("context", "answer"), [(None, "none"), ({}, "none"), ({"loud": True}, "WHO?")]
)
def test_steps_and_routes_receive_the_runs_settings_or_the_defaults(context, answer):
    assert run("who?", context).get("answer", "none") == answer


def test_a_node_is_a_function_that_needs_no_graph():
    update = asyncio.run(judge(State(question="who?"), Runtime(context=Settings(loud=True))))
    assert update["log"] == ["State", "True"]
    assert update["claims"][0].text == "who?"


def test_an_update_is_plain_json():
    out = run("who?", {"loud": True})
    claim = {"id": "c1", "text": "who?", "start": 0, "end": 1, "citations": []}
    assert out["claims"] == [claim]
    assert json.loads(json.dumps(out)) == out


def test_each_step_adds_its_time_cost_prompts_and_notes():
    out = run("who?", {"loud": True})
    assert out["usage"]["model_calls"] == 1
    assert list(out["usage"]["by_role"]) == ["receive", "judge", "shout"]
    seconds = [share["seconds"] for share in out["usage"]["by_role"].values()]
    assert out["usage"]["seconds"] == pytest.approx(sum(seconds))
    assert out["prompts"] == {"prompt": "digest"}
    assert out["notes"] == ["received who?", "from a thread"]


def test_the_opening_step_clears_what_an_earlier_run_left():
    compiled = graph(InMemorySaver())
    first = run("who?", {"loud": True}, compiled)
    assert first["answer"] == "WHO?"
    second = run("when?", None, compiled)
    assert second["answer"] == "none"
    assert second["claims"][0]["text"] == "when?"
    assert second["notes"] == ["received when?", "from a thread"]
    assert second["usage"]["model_calls"] == 1
    assert list(second["usage"]["by_role"]) == ["receive", "judge"]


@pytest.mark.parametrize(
    ("reported", "told"),
    [
        ([(1, 2), (2, 2), (1, 2)], [(1, 2), (2, 2)]),
        ([(4, 4), (0, 6), (5, 6), (6, 6)], [(4, 4), (6, 6)]),
        ([(2, 3), (2, 4), (3, 4), (1, 1)], [(2, 3), (3, 4)]),
    ],
)
def test_progress_never_goes_backwards(reported, told):
    seen = []
    with open_run(Settings().record(Usage(), tell=lambda *each: seen.append(each))):
        for each in reported:
            report_progress(*each)
    assert seen == told
