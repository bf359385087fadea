"""A bound on the calls under way at one endpoint, shared by all runs of an event loop."""

from asyncio import CancelledError, Future, get_running_loop
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.lowlevel import RunVar


class Gate:
    """Counts an endpoint's calls under way; each caller brings its own limit."""

    def __init__(self) -> None:
        """Open: no call is under way."""
        self._busy = 0
        self._waiting: deque[tuple[int, Future[None]]] = deque()

    @asynccontextmanager
    async def enter(self, at_once: int) -> AsyncIterator[None]:
        """Wait until fewer than `at_once` calls are under way; first come, first served."""
        if self._busy < at_once and not self._waiting:
            self._busy += 1
        else:
            await self._wait(at_once)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, at_once: int) -> None:
        turn: Future[None] = get_running_loop().create_future()
        self._waiting.append((at_once, turn))
        self._admit()
        try:
            await turn
        except CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        self._busy -= 1
        self._admit()

    def _admit(self) -> None:
        """Let in, in order, every waiting caller whose own limit leaves room."""
        for waiter in list(self._waiting):
            at_once, turn = waiter
            if turn.cancelled():
                self._waiting.remove(waiter)
            elif self._busy < at_once:
                self._waiting.remove(waiter)
                self._busy += 1
                turn.set_result(None)


_GATES: RunVar[dict[str, Gate]] = RunVar("errata.gates")


def gate_of(endpoint: str) -> Gate:
    """The running event loop's gate of an endpoint."""
    gates = _GATES.get(None)
    if gates is None:
        gates = {}
        _GATES.set(gates)
    return gates.setdefault(endpoint, Gate())
