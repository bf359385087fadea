"""A caller's share of a server: its threads, and how long they compute."""

import asyncio
import threading

import pytest
from langchain_core.runnables.config import var_child_runnable_config

from errata.server.shares import SharedThreads, current_caller


def become(name):
    """Go on as a run of a caller."""
    var_child_runnable_config.set({"configurable": {"langgraph_auth_user_id": name}})


@pytest.mark.parametrize(
    ("name", "caller"), [("key:alice", "key:alice"), ("key:root", "key:root"), ("local", "")]
)
def test_a_run_knows_its_caller(name, caller):
    async def run():
        become(name)
        return current_caller()

    assert asyncio.run(run()) == caller
    assert current_caller() == ""


def in_shared_threads(test, **options):
    async def run():
        asyncio.get_running_loop().set_default_executor(SharedThreads(**options))
        await asyncio.wait_for(test(), 10)

    asyncio.run(run())


def start(caller, work):
    """Start work in the loop's threads for a caller."""

    async def run():
        become(caller)
        return await asyncio.to_thread(work)

    return asyncio.create_task(run())


async def do_others():
    for caller in ("bob", "carol", ""):
        assert await start(caller, lambda: "done") == "done"


def test_a_callers_work_waits_for_its_own_and_not_for_others():
    free, running, most = threading.Event(), [], []

    def long():
        running.append(1)
        most.append(len(running))
        assert free.wait(10)
        running.pop()

    async def test():
        works = [start("mallory", long) for _ in range(5)]
        await do_others()
        free.set()
        await asyncio.gather(*works)

    in_shared_threads(test, share=2)
    assert (max(most), len(most)) == (2, 5)


def test_a_caller_over_the_budget_waits_and_others_go_on():
    async def test():
        await start("mallory", lambda: sum(range(300_000)))
        waiting = start("mallory", lambda: "done")
        await do_others()
        assert not waiting.done()
        waiting.cancel()

    in_shared_threads(test, budget=1e-4)
