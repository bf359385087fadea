"""A bound on the calls under way at one endpoint, which the endpoint itself can lower."""

from asyncio import wrap_future
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from math import inf
from threading import Lock

LOWERED = 0.95
"""What is left of the bound after a call that was one too many."""


class Gate:
    """Counts an endpoint's calls under way, whatever thread and event loop they run in.

    The bound falls with each call that the endpoint says was one too many, so that a few cost
    little, and rises by one whenever as many calls as it allows were answered.
    """

    def __init__(self) -> None:
        """Open: no call is under way, and callers' own limits alone count."""
        self._lock = Lock()
        self._waiting: list[tuple[int, Future[None]]] = []
        self._busy, self._allowed = 0, inf

    def limit(self, at_once: int) -> int:
        """How many calls may now be under way, for a caller that allows `at_once`."""
        return int(min(at_once, self._allowed))

    @asynccontextmanager
    async def enter(self, at_once: int) -> AsyncIterator[None]:
        """Wait until fewer than `at_once` calls, and than the endpoint allows, are under way.

        Callers get in by turns; one whose own limit leaves no room lets later ones pass.
        """
        turn = Future[None]()
        with self._lock:
            self._waiting.append((at_once, turn))
            self._admit()
        try:
            await wrap_future(turn)
            yield
        finally:
            with self._lock:
                self._busy -= not turn.cancel()  # who gave up waiting was not let in
                self._admit()

    def count(self, *, refused: bool) -> None:
        """Count a call that was answered, or refused as one too many; one is always allowed."""
        with self._lock:
            if refused:
                bound = self._busy if self._allowed == inf else self._allowed
                self._allowed = max(1.0, LOWERED * bound)
            else:
                self._allowed += 1 / self._allowed

    def _admit(self) -> None:
        """Let in, in order, every waiting caller whose own limit leaves room."""
        for place in list(self._waiting):
            at_once, turn = place
            if turn.cancelled() or self._busy < self.limit(at_once):
                self._waiting.remove(place)
                if turn.set_running_or_notify_cancel():
                    self._busy += 1
                    turn.set_result(None)
