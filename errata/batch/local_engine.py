"""The engine of one machine: many rows under way in an event loop, or on every core."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any

from errata.batch.rows import BatchRow
from errata.batch.work import Work, run_row
from errata.batch.worker_pool import WorkerPool
from errata.nodes.context import Context
from errata.running import THREADS
from errata.session import Session
from errata.tools.net.endpoints import fewest_allowed

AT_ONCE = 32
"""The most rows under way at once where models are asked."""
WAITING = 2
"""Rows under way for each worker: one that it works on, and the next."""
ROWS_A_CALL = 2
"""Rows under way for each call that an endpoint allows: one asks while another's code runs."""
PAUSE = 0.5
"""Seconds after which the engine looks again whether there is room for another row."""
Room = Callable[[], int]
"""How many rows may be under way now; 0 while servers are down."""
Do = Callable[[BatchRow], Awaitable[Mapping[str, Any]]]


def room_for(context: Context, most: int) -> int:
    """Rows that keep the endpoint with the fewest calls busy; 0 while servers are down."""
    return 0 if context.seconds_refused() else min(most, ROWS_A_CALL * fewest_allowed(most))


def by_models(context: Context) -> bool:
    """Whether any role is filled by a model, so that rows wait for servers more than for cores."""
    return any(context.by_model(role) for role in context.ROLES)


@dataclass(frozen=True)
class LocalEngine:
    """Works on rows in this process where models are asked, else in worker processes."""

    at_once: int = 0
    """The most rows under way where models are asked; 0: 32."""
    workers: int = 0
    """Processes for local code; 0: one for each core, 1: this one."""

    def __call__(self, work: Work, rows: Iterable[BatchRow]) -> Iterator[Mapping[str, Any]]:
        """Yield each row's output row as soon as it is done.

        Raises AccessError or SettingError if no row can be worked on; rows under way are dropped.
        """
        with asyncio.Runner() as runner:
            opened = AsyncExitStack()
            crew = _Crew(*runner.run(self._opened(work, opened)), iter(rows))
            try:
                while finished := runner.run(crew.next_finished()):
                    yield from finished
            finally:
                runner.run(crew.drop())
                runner.run(opened.aclose())

    async def _opened(self, work: Work, stack: AsyncExitStack) -> tuple[Do, Room]:
        """The function that works on a row, and the one that says how many may be under way."""
        session = work.open_session()
        workers = self.workers or _cores()
        models = by_models(session.context)
        if not models and workers > 1:
            pool = WorkerPool(work, workers)
            stack.callback(pool.close)
            return pool.run, lambda: WAITING * workers
        await stack.enter_async_context(session)
        do = partial(_run, session, work)
        if not models:
            return do, lambda: 1
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        return do, partial(room_for, session.context, self.at_once or AT_ONCE)


async def _run(session: Session, work: Work, row: BatchRow) -> Mapping[str, Any]:
    return await run_row(session, row, work)


class _Crew:
    """The rows under way in one event loop; none is read before there is room for it."""

    def __init__(self, do: Do, room: Room, rows: Iterator[BatchRow]) -> None:
        self._do, self._room, self._rows = do, room, rows
        self._under_way = set[asyncio.Future[Mapping[str, Any]]]()
        self._reading: asyncio.Future[BatchRow | None] | None = None
        self._at_end = False
        self._fault: BaseException | None = None

    async def next_finished(self) -> list[Mapping[str, Any]]:
        """The output rows of the rows that finish next; empty at the end."""
        if self._fault:
            raise self._fault
        while True:
            self._read_on()
            waiting = {*self._under_way, *((self._reading,) if self._reading else ())}
            if not waiting and self._at_end:
                return []
            if not waiting:
                await asyncio.sleep(PAUSE)
                continue
            await asyncio.wait(waiting, timeout=PAUSE, return_when=asyncio.FIRST_COMPLETED)
            self._start_what_was_read()
            if finished := self._take_finished():
                return finished

    def _read_on(self) -> None:
        has_room = len(self._under_way) < self._room()
        if has_room and not self._reading and not self._at_end:
            self._reading = _in_thread(partial(next, self._rows, None))

    def _start_what_was_read(self) -> None:
        if self._reading is None or not self._reading.done():
            return
        row = self._reading.result()
        self._reading, self._at_end = None, row is None
        if row is not None:
            self._under_way.add(asyncio.ensure_future(self._do(row)))

    def _take_finished(self) -> list[Mapping[str, Any]]:
        """The output rows that are done; an error is raised once these are handed out."""
        done = {future for future in self._under_way if future.done()}
        self._under_way -= done
        faults = [future.exception() for future in done]
        self._fault = next(filter(None, faults), None)
        finished = [future.result() for future in done if not future.exception()]
        if self._fault and not finished:
            raise self._fault
        return finished

    async def drop(self) -> None:
        """Cancel the rows under way."""
        for future in self._under_way:
            future.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)


def _in_thread(call: Callable[[], BatchRow | None]) -> "asyncio.Future[BatchRow | None]":
    """Read in a daemon thread, so that a standard input that never ends does not block exit."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[BatchRow | None] = loop.create_future()

    def read() -> None:
        try:
            _tell(loop, future.set_result, call())
        except Exception as error:  # noqa: BLE001  raised where the row is awaited
            _tell(loop, future.set_exception, error)

    Thread(target=read, daemon=True).start()
    return future


def _tell(loop: asyncio.AbstractEventLoop, tell: Callable[[Any], None], value: object) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(tell, value)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
