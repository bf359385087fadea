"""The engine of one machine: many rows under way in an event loop, or on every core."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from errata.batch.rows import BatchRow, in_daemon
from errata.batch.work import Work, run_row
from errata.batch.worker_pool import WorkerPool
from errata.nodes.context import Context
from errata.running import THREADS
from errata.tools.net.endpoints import fewest_allowed

AT_ONCE = 32
"""The most rows under way at once where models are asked."""
WAITING = 2
"""Rows under way for each worker: one that it works on, and the next."""
ROWS_A_CALL = 2
"""Rows under way for each call that an endpoint allows: one asks while another's code runs."""
PAUSE = 0.5
"""Seconds after which the engine looks again whether there is room for another row."""
Output = Mapping[str, Any]
Do = Callable[[BatchRow], Awaitable[Output]]
Room = Callable[[], int]
"""How many rows may be under way now; 0 while servers are down."""


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

    def __call__(self, work: Work, rows: Iterable[BatchRow]) -> Iterator[Output]:
        """Yield each row's output row as soon as it is done.

        Raises AccessError or SettingError if no row can be worked on; rows under way are dropped.
        """
        # Where the caller ends it early, the runner cancels and closes what is open.
        with asyncio.Runner() as runner:
            results = self._results(work, iter(rows))
            while (result := runner.run(_next(results))) is not None:
                yield result

    async def _results(self, work: Work, rows: Iterator[BatchRow]) -> AsyncIterator[Output]:
        """The output rows as they are done; no row is read before there is room for it."""
        under_way = set[asyncio.Future[Output]]()
        reading: asyncio.Future[BatchRow | None] | None = None
        at_end = False
        async with AsyncExitStack() as opened:
            do, room = await self._opened(work, opened)
            try:
                while under_way or not at_end:
                    if not (reading or at_end) and len(under_way) < room():
                        reading = asyncio.wrap_future(in_daemon(partial(next, rows, None)))
                    waiting: list[asyncio.Future[Any]] = [*under_way, *filter(None, [reading])]
                    if waiting:
                        first = asyncio.FIRST_COMPLETED
                        await asyncio.wait(waiting, timeout=PAUSE, return_when=first)
                    else:
                        await asyncio.sleep(PAUSE)
                    if reading and reading.done():
                        row, reading = reading.result(), None
                        at_end = row is None
                        if row is not None:
                            under_way.add(asyncio.ensure_future(do(row)))
                    done = {each for each in under_way if each.done()}
                    under_way -= done
                    # What is done is handed out before a fault is raised.
                    for each in sorted(done, key=lambda each: each.exception() is not None):
                        yield each.result()
            finally:
                await _drop([*under_way, *filter(None, [reading])])

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

        async def do(row: BatchRow) -> Output:
            return await run_row(session, row, work)

        if not models:
            return do, lambda: 1
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        return do, partial(room_for, session.context, self.at_once or AT_ONCE)


async def _next(results: AsyncIterator[Output]) -> Output | None:
    return await anext(results, None)


async def _drop(futures: list[asyncio.Future[Any]]) -> None:
    for future in futures:
        future.cancel()
    await asyncio.gather(*futures, return_exceptions=True)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
