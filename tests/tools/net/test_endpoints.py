"""What the process knows of all endpoints."""

from contextlib import AsyncExitStack

import pytest

from errata.tools.net.endpoints import endpoint_of, fewest_allowed, forget_endpoints
from errata.tools.net.limits import Limits

pytestmark = pytest.mark.anyio


async def test_what_endpoints_allow_now():
    assert fewest_allowed(32) == 32
    endpoint_of("a")
    gate = endpoint_of("b").gate
    async with AsyncExitStack() as stack:
        places = [await stack.enter_async_context(gate.enter(32)) for _ in range(4)]
        for place in places:
            gate.slow_down(place)
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
