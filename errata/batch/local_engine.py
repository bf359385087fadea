"""The engine of one machine: rows under way together in an event loop of this process."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from errata.batch.rows import BatchRow, in_daemon
from errata.batch.work import Work, run_row
from errata.nodes.context import Context
from errata.running import THREADS
from errata.tools.net.endpoints import fewest_allowed

AT_ONCE = 32
"""The most rows under way at once where models are asked."""
ROWS_A_CALL = 2
"""Rows under way for each call that an endpoint allows: one asks while another's code runs."""
PAUSE = 0.5
"""Seconds after which the engine looks again whether there is room for another row."""
Output = Mapping[str, Any]


def room_for(context: Context, most: int) -> int:
    """Rows that keep the endpoint with the fewest calls busy; 0 while servers are down."""
    return 0 if context.seconds_refused() else min(most, ROWS_A_CALL * fewest_allowed(most))


def by_models(context: Context) -> bool:
    """Whether any role is filled by a model, so that rows wait for servers more than for cores."""
    return any(context.by_model(role) for role in context.ROLES)


@dataclass(frozen=True)
class LocalEngine:
    """Works on rows in this process: many at once where models are asked, else one by one."""

    at_once: int = 0
    """The most rows under way where models are asked; 0: 32."""

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
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        under_way = set[asyncio.Future[Output]]()
        reading: asyncio.Future[BatchRow | None] | None = None
        at_end = False
        async with work.open_session() as session:
            most = (self.at_once or AT_ONCE) if by_models(session.context) else 1
            try:
                while under_way or not at_end:
                    if not (reading or at_end) and len(under_way) < room_for(session.context, most):
                        reading = asyncio.wrap_future(in_daemon(partial(next, rows, None)))
                    await _first_of([*under_way, *filter(None, [reading])])
                    if reading and reading.done():
                        row, reading = reading.result(), None
                        at_end = row is None
                        if row is not None:
                            under_way.add(asyncio.ensure_future(run_row(session, row, work)))
                    done = {each for each in under_way if each.done()}
                    under_way -= done
                    # What is done is handed out before a fault is raised.
                    for each in sorted(done, key=lambda each: each.exception() is not None):
                        yield each.result()
            finally:
                await _drop([*under_way, *filter(None, [reading])])


async def _next(results: AsyncIterator[Output]) -> Output | None:
    return await anext(results, None)


async def _first_of(waiting: list[asyncio.Future[Any]]) -> None:
    """Wait until one of them is done, or a moment at most."""
    if waiting:
        await asyncio.wait(waiting, timeout=PAUSE, return_when=asyncio.FIRST_COMPLETED)
    else:
        await asyncio.sleep(PAUSE)


async def _drop(futures: list[asyncio.Future[Any]]) -> None:
    for future in futures:
        future.cancel()
    await asyncio.gather(*futures, return_exceptions=True)
