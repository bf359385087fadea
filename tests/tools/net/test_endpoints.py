"""What the process knows of all endpoints, and how calls to one of them take turns."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from threading import Barrier

import pytest

from errata.tools.net.endpoints import endpoint_of, fewest_allowed, forget_endpoints, wait_turn
from errata.tools.net.limits import Limits

pytestmark = pytest.mark.anyio


async def test_what_endpoints_allow_now():
    assert fewest_allowed(32) == 32
    endpoint_of("a")
    gate = endpoint_of("b").gate
    async with AsyncExitStack() as stack:
        places = [await stack.enter_async_context(gate.enter(32)) for _ in range(4)]
        for place in places:
            gate.count(place, refused=True)
    assert [endpoint_of(name).gate.limit(32) for name in "abc"] == [32, 2, 32]
    assert (fewest_allowed(32), fewest_allowed(1)) == (2, 1)
    forget_endpoints()
    assert fewest_allowed(32) == 32


async def test_for_how_long_an_endpoint_refuses():
    endpoint, limits = endpoint_of("a"), Limits(breaker_after=1, breaker_seconds=100)
    assert endpoint.seconds_refused(limits) == 0
    with pytest.raises(TimeoutError), endpoint.breaker.watch(1, 100):
        raise TimeoutError
    assert 90 < endpoint.seconds_refused(limits) <= 100
    assert endpoint.seconds_refused(Limits()) == 0


async def seconds(*turns):
    start = time.monotonic()
    await asyncio.gather(*(wait_turn(endpoint, rate) for endpoint, rate in turns))
    return time.monotonic() - start


async def test_calls_to_one_endpoint_are_spread_over_time():
    await wait_turn("https://one.example", 5)
    assert await seconds(*[("https://one.example", 5)] * 3) > 0.5


@pytest.mark.slow
async def test_other_endpoints_do_not_wait():
    await wait_turn("https://two.example", 0.5)
    assert await seconds(("https://three.example", 50)) < 1.0


async def test_a_rate_of_zero_never_waits():
    assert await seconds(*[("https://four.example", 0.0)] * 100) < 0.1


@pytest.mark.usefixtures("eager_threads")
def test_threads_whose_first_calls_come_at_once_take_turns():
    async def wait_together(endpoint, coming):
        coming.wait()
        tick = time.monotonic() // 0.005
        while time.monotonic() // 0.005 == tick:
            pass
        await wait_turn(endpoint, 2)
        return time.monotonic()

    def take(endpoint, coming):
        return asyncio.run(wait_together(endpoint, coming))

    with ThreadPoolExecutor(150) as pool:
        turns = [
            [pool.submit(take, f"https://first{number}.example", coming) for _ in range(3)]
            for number, coming in enumerate(Barrier(3) for _ in range(50))
        ]
        ends = [sorted(turn.result() for turn in each) for each in turns]
    assert min(last - first for first, *_, last in ends) > 0.75  # by two rates at most 0.5
