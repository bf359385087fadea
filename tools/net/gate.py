"""A bound on the calls under way at one endpoint, shared by all runs of the process."""

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock


@dataclass(eq=False)
class Waiter:
    """A caller that waits for its turn, in an event loop of its own."""

    at_once: int
    loop: AbstractEventLoop
    turn: "Future[None]"
    admitted: bool = False


class Gate:
    """Counts an endpoint's calls under way, whatever thread and event loop they run in."""

    def __init__(self) -> None:
        """Open: no call is under way."""
        self._lock = Lock()
        self._busy = 0
        self._waiting: list[Waiter] = []

    @asynccontextmanager
    async def enter(self, at_once: int) -> AsyncIterator[None]:
        """Wait until fewer than `at_once` calls are under way.

        Callers get in by turns; one whose own limit leaves no room lets later ones pass.
        """
        loop = get_running_loop()
        waiter = Waiter(at_once, loop, loop.create_future())
        with self._lock:
            self._waiting.append(waiter)
            self._admit()
        try:
            await waiter.turn
            yield
        finally:
            self._leave(waiter)

    def _leave(self, waiter: Waiter) -> None:
        with self._lock:
            if waiter.admitted:
                self._busy -= 1
            else:
                self._waiting.remove(waiter)
            self._admit()

    def _admit(self) -> None:
        """Let in, in order, every waiting caller whose own limit leaves room."""
        for waiter in list(self._waiting):
            if self._busy < waiter.at_once and not waiter.loop.is_closed():
                self._waiting.remove(waiter)
                waiter.admitted = True
                self._busy += 1
                waiter.loop.call_soon_threadsafe(_wake, waiter.turn)


def _wake(turn: "Future[None]") -> None:
    if not turn.done():
        turn.set_result(None)


@cache
def gate_of(_endpoint: str) -> Gate:
    """The process's one gate of an endpoint."""
    return Gate()
