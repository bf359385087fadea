"""A breaker: a server that failed several times in a row is left alone for a while.

Written here, for what there is does not fit: pybreaker's async calls need Tornado, and purgatory
lets every caller through as a probe, counts a cancelled call as failed, and locks no thread out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from errata.core.errors import RefusedError
from errata.tools.net.faults import is_outage


class Breaker:
    """Counts an endpoint's failures in a row, whatever thread and event loop they come from.

    Each caller brings its own bounds: `after` how many failures in a row it asks no more, 0 for
    never, and for how many seconds since the last of them. Errors come faster than answers: a row
    must be longer by each call that is still under way since before it began.
    """

    def __init__(self) -> None:
        """Closed: calls go through."""
        self._lock = Lock()
        self._failures = 0
        self._failed_at = 0.0
        self._probing = False
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
        call = object()
        with self._lock:
            self.check(after, seconds)
            probes = self._is_open(after)
            self._probing = self._probing or probes
            self._under_way.add(call)
        try:
            yield
            self._take(call, None)
        except Exception as error:
            self._take(call, error)
            raise
        finally:
            self._leave(call, probes)

    def _take(self, call: object, error: Exception | None) -> None:
        with self._lock:
            if not (error and is_outage(error)):
                self._failures, self._undecided = 0, set()
                return
            if not self._failures:
                self._undecided = self._under_way - {call}
            self._failures += 1
            self._failed_at = monotonic()

    def _leave(self, call: object, probes: bool) -> None:
        with self._lock:
            self._under_way.discard(call)
            self._undecided.discard(call)
            self._probing = self._probing and not probes
