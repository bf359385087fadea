"""The engine of one machine: rows under way together in an event loop of this process."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from errata.batch.rows import BatchRow
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
            results = self._results(work, rows)
            while (result := runner.run(anext(results, None))) is not None:
                yield result

    async def _results(self, work: Work, rows: Iterable[BatchRow]) -> AsyncIterator[Output]:
        """The output rows as they are done; no row is read before there is room for it."""
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        under_way, left, at_end = set[asyncio.Task[Output]](), iter(rows), False
        async with work.open_session() as session:
            most = (self.at_once or AT_ONCE) if by_models(session.context) else 1
            try:
                while under_way or not at_end:
                    if not at_end and len(under_way) < room_for(session.context, most):
                        if row := next(left, None):
                            under_way.add(asyncio.create_task(run_row(session, row, work)))
                        at_end = row is None
                    else:
                        for each in await _first_of(under_way):
                            yield each.result()
            finally:
                for each in under_way:
                    each.cancel()
                await asyncio.gather(*under_way, return_exceptions=True)


async def _first_of(under_way: set[asyncio.Task[Output]]) -> list[asyncio.Task[Output]]:
    """Those that are done first, taken out; what is done is handed out before a fault is raised."""
    if not under_way:
        await asyncio.sleep(PAUSE)
        return []
    done, _ = await asyncio.wait(under_way, timeout=PAUSE, return_when=asyncio.FIRST_COMPLETED)
    under_way -= done
    return sorted(done, key=lambda each: each.exception() is not None)
