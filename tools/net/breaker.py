"""A breaker: a server that failed several times in a row is left alone for a while.

Written here, for what there is does not fit: pybreaker's async calls need Tornado, and purgatory
lets every caller through as a probe, counts a cancelled call as failed, and locks no thread out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from errata.errors import RefusedError
from errata.tools.net.faults import is_outage


class Breaker:
    """Counts an endpoint's failures in a row, whatever thread and event loop they come from.

    Each caller brings its own bounds: `after` how many failures in a row it asks no more, 0 for
    never, and for how many seconds since the last of them.
    """

    def __init__(self) -> None:
        """Closed: calls go through."""
        self._lock = Lock()
        self._failures = 0
        self._failed_at = 0.0
        self._probing = False

    def seconds_left(self, after: int, seconds: float) -> float:
        """How many seconds calls are still refused; 0 if one may be made now."""
        if not after or self._failures < after:
            return 0.0
        left = self._failed_at + seconds - monotonic()
        return max(0.0, left, 1.0 if self._probing else 0.0)

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
        probes = self._enter(after, seconds)
        try:
            yield
            self._take(None)
        except Exception as error:
            self._take(error)
            raise
        finally:
            if probes:
                self._probing = False

    def _enter(self, after: int, seconds: float) -> bool:
        """Whether the call is a probe."""
        with self._lock:
            self.check(after, seconds)
            probes = bool(after) and self._failures >= after
            self._probing = self._probing or probes
            return probes

    def _take(self, error: Exception | None) -> None:
        with self._lock:
            if error and is_outage(error):
                self._failures += 1
                self._failed_at = monotonic()
            else:
                self._failures = 0
