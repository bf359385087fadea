"""Named runs: begun, gone on with, or returned again, each by one process at a time."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.base import BaseCheckpointSaver

from errata.core.errors import InputError
from errata.core.once import free_in_forks
from errata.durable.identity import Identity
from errata.durable.stores import MARK, Saver, check_store, is_postgres, open_store, telling

_AT_WORK: set[tuple[int, str, str]] = set()
"""The runs under way by process, store and name; the process, as a fork copies this set."""
_LOCK = free_in_forks()
_SECONDS_TO_LET_GO = 5.0
"""A database may notice a moment late that a process was killed."""
_SECONDS_BETWEEN = 0.1
_RUNS = 0x72756E73
"""The seed with which Postgres hashes a run's name to the key of its lock."""


@dataclass(frozen=True)
class Place:
    """Where a run stands: the graph that goes on with it, and its output if it has ended."""

    graph: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    """How the graph is to be invoked."""
    begun: bool = False
    """Whether some of it is done; it takes no input again."""
    output: Mapping[str, Any] | None = None


class Runs:
    """The named runs of one store, for calls from any event loop.

    Each loop has a connection of its own: one that `aopen` opened, or one for each call.
    """

    def __init__(self, where: object) -> None:
        """Name the store, `FILE` or `postgresql://…`, or an open saver of LangGraph's.

        Raises SettingError if it is none of these, or its package is missing.
        """
        self._saver = where if isinstance(where, BaseCheckpointSaver) else None
        self._where = "" if self._saver else check_store(where)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stack = AsyncExitStack()
        self._opened: Saver | None = None

    async def aopen(self) -> None:
        """Open the store for the running event loop's calls; raises SettingError if it fails."""
        self._opened = await self._stack.enter_async_context(self._for_call())
        self._loop = asyncio.get_running_loop()

    async def aclose(self) -> None:
        """Close what `aopen` opened."""
        self._opened = self._loop = None
        await self._stack.aclose()

    @asynccontextmanager
    async def _for_call(self) -> AsyncIterator[Saver]:
        if self._saver:
            yield self._saver
        elif self._opened and self._loop is asyncio.get_running_loop():
            yield self._opened
        else:
            async with open_store(self._where) as saver:
                yield saver

    @asynccontextmanager
    async def place(self, run: str, graph: Any, identity: Identity) -> AsyncIterator[Place]:
        """Where the named run stands; inside the block the store is open and the run is locked.

        A saver that the caller gave locks nothing against other processes. Raises InputError if the
        name is that of another run, of one that is under way here or in another process, or of one
        that cannot be read.
        """
        if "\0" in run or not run.isprintable():  # which not every store can hold
            raise InputError(
                f"the run's name {run!r} has characters that cannot be seen; leave them out"
            )
        with self._alone(run):
            async with self._for_call() as saver:
                lock = locked(self._where, run, saver) if self._where else nullcontext()
                async with lock:
                    yield await _find(run, graph, identity, saver)

    @contextmanager
    def _alone(self, run: str) -> Iterator[None]:
        """Work on a run as the only call of the process; raises InputError if another one does."""
        place = (os.getpid(), self._where or str(id(self._saver)), run)
        with _LOCK:
            if place in _AT_WORK:
                raise InputError(
                    f"the run {run!r} is under way in this process; wait for its end, or give this "
                    "call a name of its own"
                )
            _AT_WORK.add(place)
        try:
            yield
        finally:
            _AT_WORK.discard(place)


async def _find(run: str, graph: Any, identity: Identity, saver: Saver) -> Place:
    options = {
        "config": {"configurable": {"thread_id": run}, "metadata": {MARK: identity.mark}},
        "durability": "sync",
    }
    # A calling graph's checkpointer and configuration are kept away from the run.
    token = var_child_runnable_config.set(None)
    try:
        with telling(f"the run {run!r} cannot be read"):
            kept = graph.copy({"checkpointer": saver})
            state = await kept.aget_state(options["config"])
            begun = state.metadata is not None
            if begun:
                identity.check(run, state.metadata.get(MARK))
            # `next` leaves out a step whose nodes have all written, though it is not finished.
            ended = begun and not state.tasks
            return Place(kept, options, begun, state.values if ended else None)
    finally:
        var_child_runnable_config.reset(token)


@asynccontextmanager
async def locked(where: str, run: str, saver: Saver) -> AsyncIterator[None]:
    """Keep other processes from a run, in the store `where` that the saver is open on.

    Raises InputError if one works on it.
    """
    lock = _InPostgres(run, saver) if is_postgres(where) else _BesideFile(run, where)
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
    try:
        yield
    finally:
        letting_go = asyncio.ensure_future(lock.let_go())
        try:
            await asyncio.shield(letting_go)
        except asyncio.CancelledError:  # it is let go all the same
            await letting_go
            raise


class _BesideFile:
    """A lock of the operating system, on a file beside the one that holds the runs."""

    def __init__(self, run: str, where: str) -> None:
        name = sha256(run.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._path = Path(f"{Path(where).resolve()}-{name}.lock")
        self._lock = FileLock(self._path, thread_local=False)

    async def take(self) -> bool:
        """Try to take it; whether it is ours now."""
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        return True

    async def let_go(self) -> None:
        """Free it for others."""
        # While it is locked: a process that has the file open finds it gone, and makes another.
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
        except asyncio.CancelledError:  # the database may have given it already
            await self.let_go()
            raise

    async def let_go(self) -> None:
        from psycopg import Error

        with suppress(Error):  # a lost connection has released it
            await self._ask("pg_advisory_unlock")

    async def _ask(self, function: str) -> bool:
        told = f"SELECT {function}(hashtextextended(%s, %s)) AS done"
        async with self._pool.connection() as connection:
            row = await (await connection.execute(told, self._key)).fetchone()
        return bool(row["done"])
