"""What the process knows of the servers that it calls: how busy each may be, and whether it is up.

It is shared by all runs, threads and event loops.
"""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from sys import maxsize
from threading import Lock
from time import monotonic

from langchain_core.rate_limiters import InMemoryRateLimiter

from errata.core.errors import RefusedError
from errata.tools.net.faults import is_outage, is_overload
from errata.tools.net.gate import Gate

REPLY_BYTES = 5_000_000
"""The most that a model server or search engine may reply to one call."""


@dataclass(frozen=True)
class Limits:
    """Limits on one run's calls to a model server or search engine."""

    timeout: float = 60.0
    """Seconds that one call may take."""
    retries: int = 3
    """Retries after a 429, a 5xx or a connection error."""
    at_once: int = 32
    """Concurrent calls to one endpoint."""
    per_second: float = 0.0
    """Calls started per second; 0 is no limit."""
    breaker_after: int = 5
    """Failed calls in a row after which an endpoint is not asked; 0: it always is."""
    breaker_seconds: float = 30.0
    """Seconds for which it is not asked."""


class Breaker:
    """Leaves a server alone for a while that failed several times in a row.

    Each caller brings its own bounds: `after` how many failures in a row it asks no more, 0 for
    never, and for how many seconds since the last of them. Errors come faster than answers: a row
    must be longer by each call that is still under way since before it began.

    Written here, for what there is does not fit: pybreaker's async calls need Tornado, and
    purgatory lets every caller through as a probe, counts a cancelled call as failed, and locks no
    thread out.
    """

    def __init__(self) -> None:
        """Closed: calls go through."""
        self._lock = Lock()
        self._failures, self._failed_at, self._probing = 0, 0.0, False
        self._under_way: set[object] = set()
        self._undecided: set[object] = set()
        """The calls that are under way since before the row of failures."""

    def seconds_left(self, after: int, seconds: float) -> float:
        """How many seconds calls are still refused; 0 if one may be made now."""
        if not self._is_open(after):
            return 0.0
        left = self._failed_at + seconds - monotonic()
        return max(0.0, left, 1.0 if self._probing else 0.0)

    def _is_open(self, after: int) -> bool:
        return bool(after) and self._failures >= after + len(self._undecided)

    def check(self, after: int, seconds: float) -> None:
        """Go on only if a call may be made now.

        Raises RefusedError.
        """
        if left := self.seconds_left(after, seconds):
            raise RefusedError(
                f"it was not asked, for it failed {self._failures} times in a row; it is asked "
                f"again in {left:.0f} s"
            )

    @contextmanager
    def watch(self, after: int, seconds: float) -> Iterator[None]:
        """Make a call inside the block; after a break only one caller does, as a probe.

        An answer of any kind closes the breaker; a cancelled call says nothing. Raises RefusedError
        if no call may be made now.
        """
        call, error = object(), None
        with self._lock:
            self.check(after, seconds)
            probes = self._is_open(after)
            self._probing = self._probing or probes
            self._under_way.add(call)
        try:
            yield
        except BaseException as raised:
            error = raised
            raise
        finally:
            with self._lock:
                self._under_way.discard(call)
                self._undecided.discard(call)
                self._probing = self._probing and not probes
                if is_outage(error):
                    if not self._failures:
                        self._undecided = set(self._under_way)
                    self._failures, self._failed_at = self._failures + 1, monotonic()
                elif error is None or isinstance(error, Exception):
                    self._failures, self._undecided = 0, set()


@dataclass(eq=False)
class Endpoint:
    """One server, or one kind of model that has no address."""

    name: str
    gate: Gate = field(default_factory=Gate)
    breaker: Breaker = field(default_factory=Breaker)
    most_questions: int = maxsize
    """How many typed questions it takes in a request, as far as it has refused more."""

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
        async with self.gate.enter(limits.at_once):
            await wait_turn(self.name, limits.per_second)
            try:
                with self.breaker.watch(*bounds):
                    yield
            except Exception as error:
                if is_overload(error):
                    self.gate.count(refused=True)
                raise
            self.gate.count(refused=False)


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


def forget_endpoints() -> None:
    """Begin anew with all endpoints, as if none had been called."""
    _KNOWN.clear()


if hasattr(os, "register_at_fork"):
    # The calls that were under way end in the process that was forked, and would never end here.
    os.register_at_fork(after_in_child=forget_endpoints)
