"""What the process knows of its endpoints: their breakers, and how calls to one take turns."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, suppress
from threading import Barrier

import pytest

from errata.core.errors import RefusedError
from errata.tools.net.endpoints import (
    Breaker,
    endpoint_of,
    fewest_allowed,
    forget_endpoints,
    wait_turn,
)
from errata.tools.net.limits import Limits

LONG, NONE = 1000.0, 1e-9


class StatusError(Exception):
    """A server's answer as clients report it."""

    def __init__(self, status):
        self.status_code = status


def call(breaker, outcome=None, seconds=LONG):
    """One call that ends so; whether it was made."""
    made = False
    with suppress(RefusedError, type(outcome or RefusedError())), breaker.watch(3, seconds):
        made = True
        if outcome:
            raise outcome
    return made


def opened():
    """A breaker after three failures in a row."""
    breaker = Breaker()
    assert all(call(breaker, StatusError(500)) for _ in range(3))
    return breaker


@pytest.mark.parametrize(
    "outage", [StatusError(500), StatusError(529), ConnectionError(), TimeoutError()]
)
def test_it_opens_after_so_many_failures_in_a_row(outage):
    breaker = Breaker()
    assert [call(breaker, outage) for _ in range(5)] == [True, True, True, False, False]
    assert 0 < breaker.seconds_left(3, LONG) <= LONG


@pytest.mark.parametrize(
    "answer", [None, StatusError(429), StatusError(400), StatusError(401), ValueError("no JSON")]
)
def test_an_answer_of_any_kind_ends_the_row(answer):
    breaker = Breaker()
    outcomes = [StatusError(500), StatusError(500), answer] * 3
    assert all(call(breaker, outcome) for outcome in outcomes)
    assert breaker.seconds_left(3, LONG) == 0


def test_a_cancelled_call_says_nothing():
    breaker = Breaker()
    for outcome in (StatusError(500), KeyboardInterrupt(), StatusError(500), KeyboardInterrupt()):
        call(breaker, outcome)
    assert call(breaker, StatusError(500))
    assert not call(breaker)


class Calls:
    """Calls that are under way at once, each ended when the test says so."""

    def __init__(self, breaker, count):
        self._open = [ExitStack() for _ in range(count)]
        for each in self._open:
            each.enter_context(breaker.watch(3, LONG))

    def end(self, outcome, count=1):
        """End some of them so, in the order in which they began."""
        for _ in range(count):
            error = outcome and type(outcome)
            with suppress(StatusError):
                assert not self._open.pop(0).__exit__(error, outcome, None)


def test_quick_errors_among_calls_under_way_do_not_open_it():
    breaker = Breaker()
    calls = Calls(breaker, 10)
    calls.end(StatusError(500), 6)
    assert breaker.seconds_left(3, LONG) == 0
    calls.end(None)
    assert [call(breaker, StatusError(500)) for _ in range(4)] == [True] * 4
    calls.end(StatusError(500), 3)
    assert not call(breaker)


def test_it_opens_when_most_that_were_under_way_fail():
    breaker = Breaker()
    calls = Calls(breaker, 10)
    calls.end(StatusError(500), 7)
    assert not call(breaker)
    calls.end(TimeoutError(), 3)
    assert not call(breaker)


def test_calls_that_hang_keep_it_closed_for_as_many_failures_more():
    breaker = Breaker()
    calls = Calls(breaker, 4)
    calls.end(StatusError(500))
    assert [call(breaker, StatusError(500)) for _ in range(7)] == [True] * 5 + [False] * 2
    calls.end(TimeoutError(), 3)


def test_each_caller_has_its_own_bounds():
    breaker = opened()
    assert breaker.seconds_left(3, LONG) > 0
    assert breaker.seconds_left(4, LONG) == breaker.seconds_left(0, LONG) == 0
    assert breaker.seconds_left(3, NONE) == 0


@pytest.mark.parametrize(("outcome", "again"), [(None, True), (StatusError(500), False)])
def test_after_the_break_one_call_decides(outcome, again):
    breaker = opened()
    assert not call(breaker)
    assert call(breaker, outcome, seconds=NONE)
    assert call(breaker) is again


def test_while_a_probe_is_under_way_others_are_refused():
    breaker = opened()
    with breaker.watch(3, NONE):
        assert not call(breaker, seconds=NONE)
        with pytest.raises(RefusedError, match="failed 3 times in a row"):
            breaker.check(3, NONE)
    assert call(breaker)


def test_a_cancelled_probe_leaves_the_probing_to_another():
    breaker = opened()
    assert call(breaker, KeyboardInterrupt(), seconds=NONE)
    assert not call(breaker)
    assert call(breaker, seconds=NONE)
    assert call(breaker)


def test_of_many_threads_one_probes():
    breaker, threads = opened(), 8
    start, end = Barrier(threads), Barrier(threads)

    def probe(_):
        start.wait()
        try:
            with breaker.watch(3, NONE):
                end.wait()
                return True
        except RefusedError:
            end.wait()
            return False

    with ThreadPoolExecutor(threads) as pool:
        assert sum(pool.map(probe, range(threads))) == 1


@pytest.mark.anyio
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


@pytest.mark.anyio
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


@pytest.mark.anyio
async def test_calls_to_one_endpoint_are_spread_over_time():
    await wait_turn("https://one.example", 5)
    assert await seconds(*[("https://one.example", 5)] * 3) > 0.5


@pytest.mark.anyio
@pytest.mark.slow
async def test_other_endpoints_do_not_wait():
    await wait_turn("https://two.example", 0.5)
    assert await seconds(("https://three.example", 50)) < 1.0


@pytest.mark.anyio
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
