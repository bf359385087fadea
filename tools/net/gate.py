"""A bound on the calls under way at one endpoint, which the endpoint itself can lower."""

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf
from threading import Lock


@dataclass(eq=False)
class Waiter:
    """A caller that waits for its turn, in an event loop of its own."""

    at_once: int
    loop: AbstractEventLoop
    turn: "Future[None]"
    round: int = 0
    """How often the bound had been lowered when the call began."""

    def wake(self) -> None:
        """Let it go on, if it still waits."""
        if not self.turn.done():
            self.turn.set_result(None)


class Gate:
    """Counts an endpoint's calls under way, whatever thread and event loop they run in.

    The bound falls when the endpoint says that it gets too many calls: by half of the share of
    calls that it refused, so that single refusals cost little and a flood is halved. It rises by
    one whenever as many calls as it allows were answered (as DCTCP's window, RFC 8257).
    """

    def __init__(self) -> None:
        """Open: no call is under way, and callers' own limits alone count."""
        self._lock = Lock()
        self._waiting: list[Waiter] = []
        self._busy = self._most = self._counted = self._refused = self._round = 0
        self._allowed: float = inf

    def limit(self, at_once: int) -> int:
        """How many calls may now be under way, for a caller that allows `at_once`."""
        return int(min(at_once, self._allowed))

    @asynccontextmanager
    async def enter(self, at_once: int) -> AsyncIterator[Waiter]:
        """Wait until fewer than `at_once` calls, and than the endpoint allows, are under way.

        Callers get in by turns; one whose own limit leaves no room lets later ones pass. Gives the
        caller's place, for `count`.
        """
        loop = get_running_loop()
        waiter = Waiter(at_once, loop, loop.create_future())
        with self._lock:
            self._waiting.append(waiter)
            self._admit()
        try:
            await waiter.turn
            yield waiter
        finally:
            with self._lock:
                if waiter in self._waiting:
                    self._waiting.remove(waiter)
                else:
                    self._busy -= 1
                self._admit()

    def count(self, place: Waiter, *, refused: bool) -> None:
        """Count a call that was answered, or refused as one too many; a round changes the bound.

        Refusals lower it, and answers allow one call more, up to the caller's own limit. Calls that
        began before it was lowered do not count: they were sent at the old rate. One call is always
        allowed.
        """
        with self._lock:
            if place.round < self._round:
                return
            self._counted += 1
            self._refused += refused
            full = self._most >= self.limit(place.at_once)
            under_way = min(self._allowed, place.at_once) if full else self._most
            if self._refused and self._counted >= int(under_way):
                share = self._refused / self._counted
                self._allowed = max(1.0, under_way * (1 - share / 2))
                self._round += 1
            elif not self._refused and self._counted >= self._allowed:
                self._allowed += self._allowed < place.at_once
            else:
                return
            self._counted = self._refused = 0
            self._most = self._busy

    def _admit(self) -> None:
        """Let in, in order, every waiting caller whose own limit leaves room."""
        for waiter in list(self._waiting):
            if self._busy < self.limit(waiter.at_once) and not waiter.loop.is_closed():
                self._waiting.remove(waiter)
                waiter.round = self._round
                self._busy += 1
                self._most = max(self._most, self._busy)
                waiter.loop.call_soon_threadsafe(waiter.wake)
