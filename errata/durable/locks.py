"""Locks on runs, each held by one process: its end, however it comes, lets go of them."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from filelock import FileLock, Timeout

from errata.core.errors import InputError
from errata.durable.saving import telling
from errata.durable.stores import Saver, is_postgres

_SECONDS_TO_LET_GO = 5.0
"""A database may notice a moment late that a process was killed."""
_SECONDS_BETWEEN = 0.1
_RUNS = 0x72756E73
"""What our locks' keys in Postgres are hashed with, beside the run's name."""


class Lock(Protocol):
    """The lock on one run."""

    async def take(self) -> bool:
        """Whether it is ours now."""

    async def let_go(self) -> None:
        """Free it for others."""


@asynccontextmanager
async def locked(where: str, run: str, saver: Saver) -> AsyncIterator[None]:
    """Keep other processes from a run, in the store `where` that the saver is open on.

    Raises InputError if one works on it.
    """
    lock: Lock = _InPostgres(run, saver) if is_postgres(where) else _BesideFile(run, where)
    await _take(lock, run)
    try:
        yield
    finally:
        await _to_its_end(lock.let_go())


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for some work, also if the caller is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def _take(lock: Lock, run: str) -> None:
    end = monotonic() + _SECONDS_TO_LET_GO
    with telling(f"the run {run!r} cannot be locked"):
        taken = await lock.take()
        while not taken and monotonic() < end:
            await asyncio.sleep(_SECONDS_BETWEEN)
            taken = await lock.take()
    if not taken:
        raise InputError(
            f"the run {run!r} is under way in another process; wait for its end, or give this "
            "call a name of its own"
        )


class _BesideFile:
    """A lock of the operating system's, on a file beside that of the runs."""

    def __init__(self, run: str, where: str) -> None:
        name = sha256(run.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._path = Path(f"{Path(where).resolve()}-{name}.lock")
        self._lock = FileLock(self._path, thread_local=False)

    async def take(self) -> bool:
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        return True

    async def let_go(self) -> None:
        # While it is ours: whoever opened the file before finds it gone, and makes another.
        with suppress(OSError):  # Windows removes no open file
            self._path.unlink()
        self._lock.release()


class _InPostgres:
    """An advisory lock of the saver's one connection."""

    def __init__(self, run: str, saver: Any) -> None:
        self._key, self._pool = (run, _RUNS), saver.conn

    async def take(self) -> bool:
        try:
            return await self._ask("pg_try_advisory_lock")
        except asyncio.CancelledError:  # by when the database may have given it
            await self.let_go()
            raise

    async def let_go(self) -> None:
        from psycopg import Error

        with suppress(Error):  # a connection that is lost has let go
            await self._ask("pg_advisory_unlock")

    async def _ask(self, function: str) -> bool:
        told = f"SELECT {function}(hashtextextended(%s, %s)) AS done"
        async with self._pool.connection() as connection:
            row = await (await connection.execute(told, self._key)).fetchone()
        return bool(row["done"])
