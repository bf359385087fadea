"""Steps as a graph's nodes: their state and settings; what they spend and note is added up."""

import asyncio
import json
from contextlib import suppress
from operator import add, or_
from typing import Annotated, Any, ClassVar

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from errata.core.records import Claim, Usage
from errata.nodes.run_settings import RunSettings
from errata.nodes.step import (
    Ledger,
    add_samples,
    add_usage,
    note,
    note_once,
    open_ledger,
    opening,
    route,
    spend,
    step,
)

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
    prompts: Annotated[dict[str, str], or_] = {}
    notes: Annotated[list[str], add] = []
    samples: Annotated[dict[str, int], add_samples] = {}


@opening
async def receive(state: Request):
    note(f"received {state.question}")
    return {"log": [type(state).__name__, state.answer, *state.notes]}


@step
async def judge(state, context: Settings):
    spend(Usage(model_calls=1), {"prompt": "digest"})
    await asyncio.to_thread(note, "from a thread")
    claim = Claim(id="c1", text=state.question, start=0, end=1)
    return {"claims": [claim], "log": [*state.log, type(state).__name__, str(context.loud)]}


@step
async def shout(state):
    """Say it again, louder."""
    return {"answer": state.claims[0].text.upper()}


@route
def after_judge(state: State, context: Settings) -> str:
    return "shout" if context.loud and state.claims else "end"


def graph(checkpointer=None):
    return (
        StateGraph(State, Settings, input_schema=Request)
        .add_node("receive", receive)
        .add_node("judge", judge)
        .add_node("shout", shout)
        .add_edge(START, "receive")
        .add_edge("receive", "judge")
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


CALL = Usage(model_calls=1, by_role={"verify": {"model_calls": 1}})


def test_costs_and_notes_inside_the_block_are_added_up():
    with open_ledger() as ledger:
        spend(CALL, {"rac/verify.v1": "digest"})
        spend(Usage(searches=2))
        note("one", "two")
        note("one")
        note_once("two")
    assert ledger.usage == CALL + Usage(searches=2)
    assert ledger.prompts == {"rac/verify.v1": "digest"}
    assert ledger.notes == ["one", "two", "one"]


@pytest.mark.usefixtures("eager_threads")
def test_tasks_and_threads_inside_the_block_are_included():
    def call(number):
        for count in range(50):
            spend(CALL, {f"prompt {number}": "digest"})
            note(f"note {number} {count}")
            note_once(f"note {count}")

    async def run():
        with open_ledger() as ledger:
            async with asyncio.TaskGroup() as group:
                for number in range(4):
                    group.create_task(asyncio.to_thread(call, number))
        return ledger

    ledger = asyncio.run(run())
    assert ledger.usage.model_calls == ledger.usage.by_role["verify"]["model_calls"] == 200
    each = [f"note {number} {count}" for number in range(4) for count in range(50)]
    assert sorted(ledger.notes) == sorted([*each, *(f"note {count}" for count in range(50))])
    assert sorted(ledger.prompts) == [f"prompt {number}" for number in range(4)]


def test_nothing_outside_the_block_is_included_also_after_an_error():
    spend(CALL, {"before": "digest"})
    note("before")
    with suppress(KeyError), open_ledger() as ledger:
        raise KeyError
    spend(CALL, {"after": "digest"})
    note("after")
    assert ledger == Ledger()


def test_ledgers_inside_each_other_and_side_by_side_are_each_their_own():
    async def work(number):
        with open_ledger() as ledger:
            await asyncio.sleep(0)
            note(f"note {number}")
            await asyncio.sleep(0)
        return ledger.notes

    async def run():
        with open_ledger() as outer:
            inner = await asyncio.gather(work(1), work(2))
            note("outer")
        return inner, outer.notes

    assert asyncio.run(run()) == ([["note 1"], ["note 2"]], ["outer"])
