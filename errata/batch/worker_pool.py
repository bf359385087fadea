"""Local work on every core, in processes with one open session each; any of them may die."""

import multiprocessing
import os
import signal
from asyncio import Lock, get_running_loop
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any

from errata.batch.rows import BatchRow
from errata.batch.work import Work, failed_row, run_row
from errata.methods import module_of
from errata.session import Session


class WorkerPool:
    """Processes that work on rows; one that dies fails no row but its own.

    Of several rows under way, it is unknown which one ended the process, so each runs once more,
    alone in a process of its own; a row that ends that one too has failed.
    """

    def __init__(self, work: Work, workers: int) -> None:
        """Start no process yet; `workers` is how many there may be."""
        self._work, self._workers = work, workers
        self._context = _context(work)
        # Not an Event: its `set` waits for ever if a process died while waiting for the event.
        self._ending, self._end = self._context.Pipe(duplex=False)
        self._pool = self._started(workers)
        self._for_one: ProcessPoolExecutor | None = None
        self._alone = Lock()
        self._under_way = 0

    async def run(self, row: BatchRow) -> dict[str, Any]:
        """A row's output row.

        Raises AccessError or SettingError as `run_row` does.
        """
        self._under_way += 1
        pool = self._pool
        try:
            result = await _submit(pool, row)
        except BrokenProcessPool:
            if self._pool is pool:
                pool.shutdown(wait=False)
                self._pool = self._started(self._workers)
            result = await self._run_alone(row)
        self._under_way -= 1
        return result

    async def _run_alone(self, row: BatchRow) -> dict[str, Any]:
        async with self._alone:
            pool = self._for_one = self._for_one or self._started(1)
            try:
                return await _submit(pool, row)
            except BrokenProcessPool:
                self._for_one = None
                pool.shutdown(wait=False)
                fault = "its process died, twice: out of memory, or a fault in a library"
                return failed_row(row, fault)

    def _started(self, workers: int) -> ProcessPoolExecutor:
        arguments = self._work, self._ending
        return ProcessPoolExecutor(workers, self._context, _open_session, arguments)

    def close(self) -> None:
        """End the processes; rows under way are dropped."""
        if self._under_way:
            self._end.send(None)
        for pool in filter(None, (self._pool, self._for_one)):
            pool.shutdown(wait=True, cancel_futures=True)
        self._end.close()
        self._ending.close()


async def _submit(pool: ProcessPoolExecutor, row: BatchRow) -> dict[str, Any]:
    return await get_running_loop().run_in_executor(pool, _run, row)


def _context(work: Work) -> Any:
    """A fork server, whose imports the workers share; where there is none, plain spawning."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, module_of(work.method), "errata.preloaded"])
    return context


_SESSION: list[tuple[Session, Work]] = []
"""A worker's own session, opened when the process starts."""


def _open_session(work: Work, ending: Connection) -> None:
    """Open this process's session; make the process end with its parent, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    Thread(target=_end_when_told, args=(ending,), daemon=True).start()
    session = work.open_session()
    session.__enter__()
    _SESSION.append((session, work))


def _end_when_told(ending: Connection) -> None:
    """End this process when its parent ends or sends something, which is left for the others."""
    parent = multiprocessing.parent_process()
    wait([ending, *([parent.sentinel] if parent else [])])
    os._exit(1)


def _run(row: BatchRow) -> dict[str, Any]:
    [(session, work)] = _SESSION
    return session.run(run_row, session, row, work)
