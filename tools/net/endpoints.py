"""What the process knows of the servers that it calls: how busy each may be, and whether it is up.

It is shared by all runs, threads and event loops.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from langchain_core.rate_limiters import InMemoryRateLimiter

from errata.tools.net.breaker import Breaker
from errata.tools.net.faults import is_overload
from errata.tools.net.gate import Gate
from errata.tools.net.limits import Limits


@dataclass(frozen=True, eq=False)
class Endpoint:
    """One server, or one kind of model that has no address."""

    name: str
    gate: Gate = field(default_factory=Gate)
    breaker: Breaker = field(default_factory=Breaker)

    def seconds_refused(self, limits: Limits) -> float:
        """For how many seconds its breaker still refuses calls; 0 if it may be called."""
        return self.breaker.seconds_left(limits.breaker_after, limits.breaker_seconds)

    @asynccontextmanager
    async def turn(self, limits: Limits, *, again: bool = False) -> AsyncIterator[None]:
        """Make one call inside the block, in its turn.

        The breaker refuses what is new: a call that was let through may be made `again`, so that
        many at once survive a short break. Raises RefusedError if the breaker is open.
        """
        bounds = (0 if again else limits.breaker_after), limits.breaker_seconds
        self.breaker.check(*bounds)  # before it waits for a place
        async with self.gate.enter(limits.at_once) as place:
            await wait_turn(self.name, limits.per_second)
            try:
                with self.breaker.watch(*bounds):
                    yield
            except Exception as error:
                if is_overload(error):
                    self.gate.slow_down(place)
                raise
            self.gate.speed_up(place)


_KNOWN: dict[str, Endpoint] = {}
_RATES: dict[tuple[str, float], InMemoryRateLimiter] = {}


def endpoint_of(name: str) -> Endpoint:
    """The process's one endpoint of a name."""
    # One step, so that two threads cannot make two of a name.
    return _KNOWN.setdefault(name, Endpoint(name))


async def wait_turn(endpoint: str, per_second: float) -> None:
    """Wait until the next call to an endpoint may start; a rate of 0 never waits.

    All calls of this process to the same endpoint at the same rate take turns.
    """
    if per_second:
        new = InMemoryRateLimiter(requests_per_second=per_second)
        # One step, so that two threads cannot make two of an endpoint.
        await _RATES.setdefault((endpoint, per_second), new).aacquire()


def fewest_allowed(at_once: int) -> int:
    """The least that any endpoint of the process allows now; `at_once` where none was slowed."""
    return min((each.gate.limit(at_once) for each in list(_KNOWN.values())), default=at_once)


def forget_endpoints() -> None:
    """Begin anew with all endpoints, as if none had been called."""
    _KNOWN.clear()


if hasattr(os, "register_at_fork"):
    # The calls that were under way end in the process that was forked, and would never end here.
    os.register_at_fork(after_in_child=forget_endpoints)
