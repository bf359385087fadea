"""The limit on how many calls are under way at one endpoint."""

import asyncio
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.tools.net.endpoints import endpoint_of
from errata.tools.net.gate import Gate

pytestmark = pytest.mark.anyio


class Calls:
    """Calls through one gate: how many are under way, and the most there were, by limit."""

    def __init__(self):
        self.gate, self.busy, self.most = Gate(), 0, {}

    async def call(self, at_once, turns=1):
        async with self.gate.enter(at_once):
            self.busy += 1
            self.most[at_once] = max(self.most.get(at_once, 0), self.busy)
            for _ in range(turns):
                await asyncio.sleep(0)
            self.busy -= 1


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4)), min_size=1, max_size=30))
@settings(deadline=None)
def test_every_call_gets_in_and_none_above_its_limit(plan):
    calls = Calls()

    async def run():
        await asyncio.gather(*(calls.call(at_once, turns) for at_once, turns in plan))

    asyncio.run(run())
    assert calls.busy == 0
    assert all(most <= at_once for at_once, most in calls.most.items())


async def test_a_cancelled_wait_leaves_its_place_to_others():
    calls = Calls()
    holder = asyncio.create_task(calls.call(1, turns=5))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(calls.call(1)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.gather(holder, *waiting[1:])
    assert waiting[0].cancelled()
    await asyncio.wait_for(calls.call(1), 1)


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
async def test_a_fork_waits_for_no_call_of_the_process_that_it_is_of():
    async def enter():
        async with asyncio.timeout(5), endpoint_of("forked").gate.enter(1):
            pass

    async with endpoint_of("forked").gate.enter(1):
        child = os.fork()
        if not child:
            try:
                asyncio.run(enter())
                os._exit(0)
            finally:
                os._exit(1)
        _, status = await asyncio.to_thread(os.waitpid, child, 0)
        assert os.waitstatus_to_exitcode(status) == 0


async def test_a_flood_comes_down_to_what_the_endpoint_takes():
    gate, busy = Gate(), [0]

    async def call():
        async with gate.enter(32):
            busy[0] += 1
            refused = busy[0] > 8
            await asyncio.sleep(0)
            gate.count(refused=refused)
            busy[0] -= 1

    await asyncio.gather(*(call() for _ in range(400)))
    assert 5 <= gate.limit(32) <= 12
    for _ in range(2000):
        gate.count(refused=False)
    assert gate.limit(32) == 32
