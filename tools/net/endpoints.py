"""What the process knows of the servers that it calls: how busy each may be, and whether it is up.

It is shared by all runs, threads and event loops.
"""

import os
from dataclasses import dataclass, field

from errata.tools.net.breaker import Breaker
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


_KNOWN: dict[str, Endpoint] = {}


def endpoint_of(name: str) -> Endpoint:
    """The process's one endpoint of a name."""
    # One step, so that two threads cannot make two of a name.
    return _KNOWN.setdefault(name, Endpoint(name))


def calls_allowed(name: str, at_once: int) -> int:
    """How many calls may now be under way at an endpoint, for a caller that allows `at_once`."""
    return endpoint_of(name).gate.limit(at_once)


def fewest_allowed(at_once: int) -> int:
    """The least that any endpoint of the process allows now; `at_once` where none was slowed."""
    return min((each.gate.limit(at_once) for each in list(_KNOWN.values())), default=at_once)


def forget_endpoints() -> None:
    """Begin anew with all endpoints, as if none had been called."""
    _KNOWN.clear()


if hasattr(os, "register_at_fork"):
    # The calls that were under way end in the process that was forked, and would never end here.
    os.register_at_fork(after_in_child=forget_endpoints)
