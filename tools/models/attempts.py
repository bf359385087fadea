"""One call to a model's server, made again after failures that pass."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import chain, repeat
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    wait_random_exponential,
)

from errata.core.limits import current_bounds
from errata.tools.models.bill import Bill
from errata.tools.net.endpoints import Endpoint
from errata.tools.net.faults import asked_wait, is_overload, is_silent, is_transient
from errata.tools.net.limits import Limits
from errata.tools.net.rate import wait_turn

T = TypeVar("T")
Call = Callable[[], Awaitable[T]]
MAX_WAIT = 60.0
"""Seconds to wait at most, even if the server asks for longer."""
_backoff = wait_random_exponential(multiplier=0.5, max=8)


async def attempt(call: Call[T], endpoint: Endpoint, limits: Limits, bill: Bill) -> T:
    """What a call gives, in its turn; made again up to `limits.retries` times, each counted.

    Between two tries its place at the endpoint is free for others. The breaker refuses what is new:
    a call that was let through is repeated, so that many at once survive a short break. A server
    that lets a caller wait in vain is asked once more, or no more if it is down. No try begins
    after the run's time. Raises RefusedError if the breaker is open at the start, else what the
    last try raised.
    """
    bounds = chain([limits], repeat(replace(limits, breaker_after=0)))

    async def once() -> T:
        return await _once(counted, endpoint, next(bounds))

    async def counted() -> T:
        bill.send()
        return await call()

    def is_last(state: RetryCallState) -> bool:
        late = state.upcoming_sleep > current_bounds().seconds_left
        waited = state.attempt_number > 1 or endpoint.seconds_refused(limits) > 0
        silent = is_silent(_error(state)) and waited
        return state.attempt_number > limits.retries or late or silent

    tries = AsyncRetrying(
        stop=is_last,
        wait=_wait_seconds,
        retry=retry_if_exception(is_transient),
        reraise=True,
    )
    return await tries(once)


async def _once(call: Call[T], endpoint: Endpoint, limits: Limits) -> T:
    bounds = limits.breaker_after, limits.breaker_seconds
    endpoint.breaker.check(*bounds)  # before it waits for a place
    async with endpoint.gate.enter(limits.at_once) as place:
        await wait_turn(endpoint.name, limits.per_second)
        try:
            with endpoint.breaker.watch(*bounds):
                result = await call()
        except Exception as error:
            if is_overload(error):
                endpoint.gate.slow_down(place)
            raise
        endpoint.gate.speed_up(place)
        return result


def _wait_seconds(state: RetryCallState) -> float:
    """Seconds until the next try: what the server asked for, else longer from try to try."""
    asked = asked_wait(_error(state))
    return _backoff(state) if asked is None else min(asked, MAX_WAIT)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None
