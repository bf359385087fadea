"""The limit on how many calls are under way at one endpoint."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.tools.net.gate import Gate, gate_of

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


async def test_calls_fill_the_limit():
    calls = Calls()
    await asyncio.gather(*(calls.call(4, turns=3) for _ in range(12)))
    assert calls.most == {4: 4}


async def test_a_narrow_limit_waits_and_does_not_hold_up_wide_ones():
    calls = Calls()
    await asyncio.gather(*(calls.call(at_once, turns=2) for at_once in [3, 1, 3, 3, 1, 3]))
    assert calls.most == {1: 1, 3: 3}


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


async def test_a_call_cancelled_just_as_it_is_let_in_gives_its_place_back():
    gate = Gate()
    async with gate.enter(1):
        late = asyncio.create_task(_enter(gate))
        await asyncio.sleep(0)
    late.cancel()
    with pytest.raises(asyncio.CancelledError):
        await late
    await asyncio.wait_for(_enter(gate), 1)


async def _enter(gate):
    async with gate.enter(1):
        await asyncio.sleep(0)


def test_a_limit_holds_across_event_loops_and_threads():
    gate, busy, most = Gate(), [0], [0]

    async def call():
        async with gate.enter(3):
            busy[0] += 1
            most[0] = max(most[0], busy[0])
            await asyncio.sleep(0.01)
            busy[0] -= 1

    async def calls():
        await asyncio.gather(*(call() for _ in range(10)))

    with ThreadPoolExecutor(6) as pool:
        for run in [pool.submit(asyncio.run, calls()) for _ in range(6)]:
            run.result()
    assert (busy[0], most[0]) == (0, 3)


def test_an_event_loop_that_ended_while_it_waited_holds_up_nobody():
    gate = Gate()

    async def enter(seconds):
        async with gate.enter(1):
            await asyncio.sleep(seconds)

    async def give_up():
        await asyncio.wait_for(enter(0), 0.05)

    with ThreadPoolExecutor(1) as pool:
        holder = pool.submit(asyncio.run, enter(0.2))
        time.sleep(0.05)
        with pytest.raises(TimeoutError):
            asyncio.run(give_up())
        holder.result()
    asyncio.run(asyncio.wait_for(enter(0), 1))


async def test_an_endpoint_has_one_gate():
    assert gate_of("a") is gate_of("a")
    assert gate_of("a") is not gate_of("b")
