"""The stores of runs, SQLite files or Postgres databases: saved in order, as plain values."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from errata.core.errors import ErrataError, InputError, SettingError, require
from errata.tools.net.redaction import redact

Saver = BaseCheckpointSaver[Any]
_POSTGRES = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
_ADDRESS = re.compile(r"([a-z][\w+.-]*)://", re.IGNORECASE)
_SECONDS_TO_CONNECT = 15
_SECONDS_FOR_A_LOCK = 60
_SECONDS_BETWEEN = 0.1
_SETTING_UP = 0x657272617461
"""The key of the lock that only one process at a time holds while it makes the tables."""
PLACE = ("thread_id", "checkpoint_ns", "checkpoint_id")
"""The keys of a run's configuration that say where its checkpoint belongs."""
MARK = "errata"
"""The key under which a run's identity stands in the metadata of its checkpoints."""
_FORMS = ("null", "msgpack")


def check_store(where: object) -> str:
    """The address of a store, `FILE` or `postgresql://…`.

    Raises SettingError if it is neither, or the package that opens it is missing.
    """
    if isinstance(where, Path):
        where = str(where)
    if not isinstance(where, str) or not where.strip():
        kind = type(where).__name__
        raise SettingError(f"checkpoints must be a file or a postgresql:// address; got a {kind}")
    other = _ADDRESS.match(where)
    if other and not is_postgres(where):
        raise SettingError(
            f"checkpoints cannot be kept at a {other[1]}:// address; name a file for SQLite, "
            "such as runs.sqlite, or a postgresql:// address"
        )
    _import("postgres" if other else "sqlite")
    return where


def is_postgres(where: str) -> bool:
    """Whether a store is a Postgres database, and no file."""
    return bool(_POSTGRES.match(where))


def in_order(kind: type[Saver]) -> type[Saver]:
    """The subclass of a class of savers that saves in order."""
    return type(f"Ordered{kind.__name__}", (InOrder, kind), {})


@asynccontextmanager
async def open_store(where: str) -> AsyncIterator[Saver]:
    """A store's saver in the running event loop, its tables made; closed after the block.

    Raises SettingError if the store cannot be opened.
    """
    async with AsyncExitStack() as stack:
        yield await (_postgres if is_postgres(where) else _sqlite)(stack, where)


def _import(extra: str) -> Any:
    driver, name = {"postgres": ("psycopg", "Postgres"), "sqlite": ("aiosqlite", "SQLite")}[extra]
    require(f"keeping runs in {name}", extra, driver)
    return import_module(f"langgraph.checkpoint.{extra}.aio")


async def _sqlite(stack: AsyncExitStack, where: str) -> Saver:
    saver_class: Any = in_order(_import("sqlite").AsyncSqliteSaver)
    import aiosqlite

    def look() -> None:  # whether it is a database, or one can be made there
        with closing(sqlite3.connect(where, timeout=_SECONDS_FOR_A_LOCK)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()

    try:
        await asyncio.to_thread(look)
        opening = aiosqlite.connect(where, timeout=_SECONDS_FOR_A_LOCK)
        connection = await stack.enter_async_context(opening)
        saver: Saver = saver_class(connection, serde=PlainSerializer())
        await saver.setup()  # type: ignore[attr-defined]
    except sqlite3.Error as error:
        raise SettingError(
            f"the runs in {where!r} cannot be opened: {error}; name a file that errata made, or a "
            "new one in a folder that may be written"
        ) from error
    return saver


async def _postgres(stack: AsyncExitStack, where: str) -> Saver:
    saver_class: Any = _import("postgres").AsyncPostgresSaver
    import psycopg
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    options: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    timed = {"connect_timeout": _SECONDS_TO_CONNECT, **options}
    try:
        # The tables are made by one process at a time; waiting inside the database would stop the
        # other process from making its indexes.
        async with await psycopg.AsyncConnection.connect(where, **timed) as connection:
            lock, got = "SELECT pg_try_advisory_lock(%s) AS got", False
            while not got:
                cursor = await connection.execute(lock, (_SETTING_UP,))
                row: Any = await cursor.fetchone()
                got = row["got"]
                await asyncio.sleep(0 if got else _SECONDS_BETWEEN)
            await saver_class(connection).setup()
    except psycopg.Error as error:
        fault = redact((str(error).strip() or repr(error)).splitlines()[0])
        raise SettingError(
            f"the database of checkpoints cannot be used: {fault}; check the address, and that its "
            "user may make tables"
        ) from error
    pool = AsyncConnectionPool(
        where,
        min_size=1,
        max_size=1,
        max_lifetime=inf,  # the locks on runs are the connection's
        open=False,
        kwargs=options,
        check=AsyncConnectionPool.check_connection,
    )
    ordered: Any = in_order(saver_class)
    saver: Saver = ordered(await stack.enter_async_context(pool), serde=PlainSerializer())
    return saver


class PlainSerializer(JsonPlusSerializer):
    """Reads MessagePack alone, and of its types only those that LangGraph calls safe.

    A file may be a stranger's: no pickle, no JSON that names classes, no class outside that list.
    """

    def __init__(self) -> None:
        """Allow no type beyond LangGraph's own list."""
        super().__init__(
            pickle_fallback=False, allowed_json_modules=None, allowed_msgpack_modules=None
        )

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value of one field; raises InputError if it is in another form than we write."""
        if data[0] not in _FORMS:
            raise InputError(
                f"the stored runs hold a value in the form {data[0]!r}; errata writes "
                f"{' and '.join(_FORMS)} alone: this is no file of its own, name another"
            )
        return super().loads_typed(data)


class InOrder(BaseCheckpointSaver[Any]):
    """Mixed into a class of savers: stores in the order of saving, and only what the run needs.

    LangGraph starts to save a step's writes, then the checkpoint that supersedes them, and leaves
    their order to the saver (langgraph issue 8039). Here the one that was started first takes the
    lock first, so a checkpoint is never stored before the writes that it rests on.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Pass all arguments on to the class of savers."""
        super().__init__(*args, **kwargs)
        self._turn = asyncio.Lock()

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        """Save a checkpoint after all that was to be saved before it."""
        async with self._turn:
            with telling("a step was done, but could not be stored"):
                return await super().aput(_own(config), checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: Any, writes: Any, task_id: str, task_path: str = ""
    ) -> None:
        """Save what a node wrote after all that was to be saved before it."""
        async with self._turn:
            with telling("a step was done, but could not be stored"):
                await super().aput_writes(_own(config), writes, task_id, task_path)


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Raise InputError, which begins with `what`, for a failure of the store inside the block."""
    try:
        yield
    except ErrataError:
        raise
    except Exception as error:  # each database has errors of its own
        fault = redact(f"{type(error).__name__}: {error}")
        raise InputError(
            f"{what}: {fault}; mend the store, and call the run again: it goes on from the last "
            "step that is stored there, or name another store"
        ) from error


def _own(config: Any) -> Any:
    """The configuration without what a caller's own graph put in: it may hold secrets."""
    place = {name: config["configurable"][name] for name in PLACE if name in config["configurable"]}
    mark = {MARK: (config.get("metadata") or {}).get(MARK, "")}
    return {"configurable": place, "metadata": mark}
