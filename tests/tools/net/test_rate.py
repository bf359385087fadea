"""Calls to one endpoint take turns; calls to others do not wait for them."""

import asyncio
import time

import pytest

from errata.tools.net.rate import wait_turn

pytestmark = pytest.mark.anyio


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
