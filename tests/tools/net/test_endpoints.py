"""What the process knows of its endpoints: which are down, and how many calls each gets at once."""

import asyncio
from contextlib import suppress

import pytest

from errata.core.errors import RefusedError
from errata.tools.net.endpoints import Endpoint, Limits

pytestmark = pytest.mark.anyio
LONG = Limits(breaker_after=3, breaker_seconds=1000)
SHORT = Limits(breaker_after=3, breaker_seconds=1e-9)


class StatusError(Exception):
    """A server's answer as clients report it."""

    def __init__(self, status):
        self.status_code = status


async def call(endpoint, outcome=None, limits=LONG):
    """One call that ends so; whether it was made."""
    made = False
    with suppress(RefusedError, type(outcome or RefusedError())):
        async with endpoint.turn(limits):
            made = True
            if outcome:
                raise outcome
    return made


@pytest.mark.parametrize(
    "outage", [StatusError(500), StatusError(529), ConnectionError(), TimeoutError()]
)
async def test_it_is_left_alone_after_so_many_failures_in_a_row(outage):
    endpoint = Endpoint("x")
    assert [await call(endpoint, outage) for _ in range(5)] == [True, True, True, False, False]
    assert 0 < endpoint.seconds_refused(LONG) <= LONG.breaker_seconds
    assert endpoint.seconds_refused(Limits(breaker_after=4)) == 0
    assert endpoint.seconds_refused(Limits(breaker_after=0)) == 0


@pytest.mark.parametrize(
    "answer", [None, StatusError(429), StatusError(400), StatusError(401), ValueError("no JSON")]
)
async def test_an_answer_of_any_kind_ends_the_row(answer):
    endpoint = Endpoint("x")
    for outcome in [StatusError(500), StatusError(500), answer] * 3:
        assert await call(endpoint, outcome)
    assert endpoint.seconds_refused(LONG) == 0


async def test_a_cancelled_call_says_nothing():
    endpoint = Endpoint("x")
    for outcome in (StatusError(500), asyncio.CancelledError(), StatusError(500)):
        await call(endpoint, outcome)
    assert await call(endpoint, StatusError(500))
    assert not await call(endpoint)


@pytest.mark.parametrize(("outcome", "again"), [(None, True), (StatusError(500), False)])
async def test_after_the_break_it_is_asked_again(outcome, again):
    endpoint = Endpoint("x")
    for _ in range(3):
        await call(endpoint, StatusError(500))
    assert not await call(endpoint)
    assert await call(endpoint, outcome, SHORT)
    assert await call(endpoint) is again


async def test_no_more_calls_are_under_way_than_may_be():
    endpoint, busy, most = Endpoint("gate"), 0, 0

    async def one():
        nonlocal busy, most
        async with endpoint.turn(Limits(at_once=3)):
            busy += 1
            most = max(most, busy)
            await asyncio.sleep(0.001)
            busy -= 1

    await asyncio.gather(*(one() for _ in range(20)))
    assert (busy, most) == (0, 3)
