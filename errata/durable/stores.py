"""Where runs are kept: a file of SQLite, or a Postgres database."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from errata.core.errors import InputError, SettingError
from errata.durable.saving import InOrder, PlainSerializer

Saver = BaseCheckpointSaver[Any]
Kind = Callable[[type[Saver]], type[Saver]]
"""Makes a class of saver of another one."""
_POSTGRES = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
_ADDRESS = re.compile(r"([a-z][\w+.-]*)://", re.IGNORECASE)
_SECONDS_TO_CONNECT = 15
_SECONDS_FOR_A_LOCK = 60
_SECONDS_BETWEEN = 0.1
_SETTING_UP = 0x657272617461
"""The key of the lock that only one process at a time holds while it makes the tables."""


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
    """The class of savers that save in order."""
    return type(f"Ordered{kind.__name__}", (InOrder, kind), {})


@asynccontextmanager
async def open_store(where: str, kind: Kind = in_order) -> AsyncIterator[Saver]:
    """A store's saver in the running event loop, its tables made; closed after the block.

    `kind` makes its class of LangGraph's. Raises SettingError if the store cannot be opened.
    """
    open_one = _open_postgres if is_postgres(where) else _open_sqlite
    async with AsyncExitStack() as stack:
        yield await open_one(stack, where, kind)


def _import(extra: str) -> Any:
    try:
        return import_module(f"langgraph.checkpoint.{extra}.aio")
    except ImportError as error:
        raise SettingError(
            f"keeping runs in {'Postgres' if extra == 'postgres' else 'SQLite'} needs a package "
            f"that is not installed ({error.name}): pip install 'errata[{extra}]'"
        ) from error


async def _open_sqlite(stack: AsyncExitStack, where: str, kind: Kind) -> Saver:
    import aiosqlite

    saver_class: Any = kind(_import("sqlite").AsyncSqliteSaver)
    try:
        await asyncio.to_thread(_try_sqlite, where)
        connection = await stack.enter_async_context(
            aiosqlite.connect(where, timeout=_SECONDS_FOR_A_LOCK)
        )
        saver: Saver = saver_class(connection, serde=PlainSerializer())
        await saver.setup()  # type: ignore[attr-defined]
    except sqlite3.Error as error:
        raise SettingError(
            f"the runs in {where!r} cannot be opened: {error}; name a file that errata made, or a "
            "new one in a folder that may be written"
        ) from error
    return saver


def _try_sqlite(where: str) -> None:
    """Raise sqlite3.Error if a file is no database, or none can be made there."""
    with closing(sqlite3.connect(where, timeout=_SECONDS_FOR_A_LOCK)) as connection:
        connection.execute("PRAGMA schema_version").fetchone()


async def _open_postgres(stack: AsyncExitStack, where: str, kind: Kind) -> Saver:
    saver_class: Any = kind(_import("postgres").AsyncPostgresSaver)
    import psycopg
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    options: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    try:
        await _set_up_postgres(where, options)
    except psycopg.Error as error:
        raise SettingError(
            f"the database of checkpoints cannot be used: {_first_line(error)}; check the address, "
            "and that its user may make tables"
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
    saver: Saver = saver_class(await stack.enter_async_context(pool), serde=PlainSerializer())
    return saver


async def _set_up_postgres(where: str, options: dict[str, Any]) -> None:
    """Make the tables where there are none, one process at a time."""
    from psycopg import AsyncConnection

    saver_class = _import("postgres").AsyncPostgresSaver
    timed = {"connect_timeout": _SECONDS_TO_CONNECT, **options}
    async with await AsyncConnection.connect(where, **timed) as connection:
        # Waiting inside the database would stop the other process from making its indexes.
        await _wait_for_lock(connection)
        await saver_class(connection).setup()


async def _wait_for_lock(connection: Any) -> None:
    got = False
    while not got:
        cursor = await connection.execute("SELECT pg_try_advisory_lock(%s) AS got", (_SETTING_UP,))
        got = (await cursor.fetchone())["got"]
        await asyncio.sleep(0 if got else _SECONDS_BETWEEN)


def _first_line(error: Exception) -> str:
    from errata.tools.net.redaction import redact

    return redact(str(error).strip().splitlines()[0] if str(error).strip() else repr(error))


def check_run(run: str) -> None:
    """Raise InputError if a run's name is none that every store can hold."""
    if "\0" in run or not run.isprintable():
        raise InputError(
            f"the run's name {run!r} has characters that cannot be seen; leave them out"
        )
