"""What the process knows of the servers that it calls: how busy each may be, and which is down."""

from asyncio import Semaphore
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Annotated

from anyio.lowlevel import RunVar
from langchain_core.rate_limiters import InMemoryRateLimiter
from pydantic import BaseModel, ConfigDict, Field

from errata.core.errors import RefusedError
from errata.tools.net.faults import is_outage

REPLY_BYTES = 5_000_000
"""The most that a model server or search engine may reply to one call."""


class Limits(BaseModel):
    """Limits on one run's calls to a model server or search engine."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds that one call to a model may take."""
    retries: Annotated[int, Field(ge=0, le=10)] = 3
    """How often a model's client repeats a call after a 429, a 5xx, a broken connection, or no
    answer in time."""
    at_once: Annotated[int, Field(ge=1)] = 32
    """The most calls under way to one endpoint, over all runs of an event loop."""
    per_second: Annotated[float, Field(ge=0)] = 0.0
    """The most calls that may start in a second; 0: no limit."""
    breaker_after: Annotated[int, Field(ge=0)] = 5
    """Stop asking an endpoint after this many failed calls in a row (5xx, no connection, no answer
    in time, after all repeats); 0: never stop."""
    breaker_seconds: Annotated[float, Field(gt=0)] = 30.0
    """Seconds until a stopped endpoint is asked again."""


@dataclass(eq=False)
class Endpoint:
    """One server, or one kind of model that has no address; all runs of the process share it."""

    name: str
    failures: int = 0
    """How many calls in a row have failed since the last answer of any kind."""
    failed_at: float = 0.0

    def seconds_refused(self, limits: Limits) -> float:
        """For how many seconds it is still left alone; 0 if it may be called."""
        if not 0 < limits.breaker_after <= self.failures:
            return 0.0
        return max(0.0, self.failed_at + limits.breaker_seconds - monotonic())

    @asynccontextmanager
    async def turn(self, limits: Limits) -> AsyncIterator[None]:
        """Make one call inside the block, in its turn; raises RefusedError if it is left alone."""
        async with _gate(self.name, limits.at_once):
            if left := self.seconds_refused(limits):
                raise RefusedError(
                    f"{self.name} was not asked, for it failed {self.failures} times in a row; it "
                    f"is asked again in {left:.0f} s"
                )
            await wait_turn(self.name, limits.per_second)
            try:
                yield
            except Exception as error:
                self.failures = self.failures + 1 if is_outage(error) else 0
                self.failed_at = monotonic()
                raise
            self.failures = 0


_KNOWN: dict[str, Endpoint] = {}
_RATES: dict[tuple[str, float], InMemoryRateLimiter] = {}
_GATES: RunVar[dict[tuple[str, int], Semaphore]] = RunVar("errata.gates")


def endpoint_of(name: str) -> Endpoint:
    """The process's one endpoint of a name."""
    # As below one step, so that two threads cannot make two of a name.
    return _KNOWN.setdefault(name, Endpoint(name))


def _gate(endpoint: str, at_once: int) -> Semaphore:
    """What bounds the running event loop's calls to an endpoint."""
    gates = _GATES.get({})
    _GATES.set(gates)
    return gates.setdefault((endpoint, at_once), Semaphore(at_once))


async def wait_turn(endpoint: str, per_second: float) -> None:
    """Wait until the process's next call to an endpoint at a rate may start; at 0 at once."""
    if per_second:
        new = InMemoryRateLimiter(requests_per_second=per_second)
        await _RATES.setdefault((endpoint, per_second), new).aacquire()


def forget_endpoints() -> None:
    """Begin anew with all endpoints, as if none had been called."""
    _KNOWN.clear()
