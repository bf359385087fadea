"""A caller's share of a server: its calls under way, and its threads."""

import asyncio
import threading
from typing import TypedDict

import pytest
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.graph import START, StateGraph

from errata.server.shares import SharedThreads, current_caller


class State(TypedDict, total=False):
    caller: str


async def look(_: State) -> State:
    return {"caller": current_caller()}


GRAPH = StateGraph(State).add_node(look).add_edge(START, "look").compile()


@pytest.mark.parametrize(
    ("configurable", "caller"),
    [
        ({"langgraph_auth_user_id": "key:alice", "langgraph_auth_permissions": []}, "key:alice"),
        (
            {"langgraph_auth_user_id": "key:root", "langgraph_auth_permissions": ["admin"]},
            "key:root",
        ),
        ({"langgraph_auth_user_id": "local", "langgraph_auth_permissions": ["local"]}, ""),
        ({}, ""),
    ],
)
def test_a_run_knows_its_caller(configurable, caller):
    config = {"configurable": configurable}
    assert asyncio.run(GRAPH.ainvoke({}, config))["caller"] == caller
    assert current_caller() == ""


async def start_for(caller, work):
    """Start work in the loop's threads for a caller."""
    var_child_runnable_config.set({"configurable": {"langgraph_auth_user_id": caller}})
    return asyncio.ensure_future(asyncio.to_thread(work))


def in_shared_threads(test, **options):
    async def run():
        asyncio.get_running_loop().set_default_executor(SharedThreads(**options))
        await asyncio.wait_for(test(), 10)

    asyncio.run(run())


def test_a_callers_work_waits_for_its_own_and_not_for_others():
    free, running, most = threading.Event(), [], []

    def long():
        running.append(1)
        most.append(len(running))
        assert free.wait(10)
        running.pop()

    async def test():
        works = [await asyncio.create_task(start_for("mallory", long)) for _ in range(5)]
        for caller in ("bob", "carol", ""):
            quick = await asyncio.create_task(start_for(caller, lambda: "done"))
            assert await quick == "done"
        free.set()
        await asyncio.gather(*works)

    in_shared_threads(test, threads=8, share=2)
    assert max(most) == 2
    assert len(most) == 5


def test_a_caller_over_the_budget_waits_and_others_go_on():
    async def test():
        await (await asyncio.create_task(start_for("mallory", lambda: sum(range(300_000)))))
        waiting = await asyncio.create_task(start_for("mallory", lambda: "done"))
        for caller in ("bob", "carol", ""):
            assert await (await asyncio.create_task(start_for(caller, lambda: "done"))) == "done"
        assert not waiting.done()
        waiting.cancel()

    in_shared_threads(test, budget=1e-4)
