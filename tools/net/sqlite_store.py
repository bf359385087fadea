"""Bytes kept by key in a SQLite file, which threads and processes share."""

import asyncio
import atexit
import os
import sqlite3
import time
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from errata.core.errors import SettingError
from errata.core.limits import note_undone

T = TypeVar("T")
MARK = 0x45525241
"""The application id of our files."""
MEGABYTES = 1024
"""About the largest size of a file where nothing else is said."""
EVERY = 50
"""After how many writes the size is looked at."""
SPARED = 0.9
"""The share of the largest size that is left when it was reached."""
WAIT = 20.0
"""Seconds to wait for another process's write."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB, made REAL)"
_SHRINK = (
    "DELETE FROM kept WHERE key IN (SELECT key FROM (SELECT key, sum(length(value)) OVER "
    "(ORDER BY made DESC, key) AS total FROM kept) WHERE total > ?)"
)
"""Takes out the oldest over a size."""


class StoreError(Exception):
    """A store cannot be read or written."""


class SqliteStore:
    """Values in a SQLite file, the oldest of which go when it is full.

    It is opened at its first use; what was written outlives a killed process. Every method raises
    StoreError if the file cannot be used, is damaged, or is something else; it stays as it is.
    """

    def __init__(self, path: str, megabytes: float = MEGABYTES) -> None:
        """A file of about so many megabytes at most."""
        self._path, self._largest = Path(path), megabytes * 1_000_000
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._writes = count()

    def close(self) -> None:
        """Close the file; the next work opens it again."""
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    def get(self, key: str) -> bytes | None:
        """What is kept under a key; None if there is nothing."""
        rows = self._do("SELECT value FROM kept WHERE key = ?", key)
        return bytes(rows[0][0]) if rows and isinstance(rows[0][0], bytes) else None

    def under(self, prefix: str) -> dict[str, bytes]:
        """What is kept under keys that begin so, by key, the oldest first."""
        rows = self._do("SELECT key, value FROM kept WHERE key GLOB ? ORDER BY made", f"{prefix}*")
        return {key: value for key, value in rows if isinstance(value, bytes)}

    def put(self, key: str, value: bytes) -> None:
        """Keep a value in place of what the key had."""
        self._do("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", key, value, time.time())
        if next(self._writes) % EVERY == 0:
            self._shrink()

    def _shrink(self) -> None:
        """Take out the oldest of what is too much, and give the room back."""
        [[size]] = self._do("SELECT sum(length(value)) FROM kept")
        if size > self._largest:
            self._do(_SHRINK, self._largest * SPARED)
            # A script runs to its end, where the file gets smaller by all its free pages.
            give_back = "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)"
            self._run(lambda database: database.executescript(give_back))

    def _do(self, told: str, *values: str | bytes | float) -> list[Any]:
        return self._run(lambda database: database.execute(told, values).fetchall())

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work, alone in this process; each statement commits by itself."""
        with self._lock:
            try:
                self._connection = self._connection or self._open()
                return work(self._connection)
            except (sqlite3.Error, OSError, Timeout) as error:
                raise StoreError(f"{str(self._path)!r}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch(mode=0o600)  # what it keeps is for its owner alone
        # Processes that open a new file at once would fight over its journal.
        with FileLock(f"{self._path}.lock", timeout=WAIT):
            connection = sqlite3.connect(
                self._path, timeout=WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the table of a new file; raises StoreError for a database of something else."""
        [mark] = connection.execute("PRAGMA application_id").fetchone()
        if mark != MARK:
            if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                fault = "is a database of something else, and was left as it is; name another file"
                raise StoreError(f"{str(self._path)!r} {fault}")
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            connection.execute(f"PRAGMA application_id={MARK}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(_SCHEMA)


async def work_or_note(fault: str, work: Callable[..., Any], *args: Any) -> Any:
    """Do a store's work in a thread; None where it fails, which is noted as a `fault` of `{}`."""
    try:
        return await asyncio.to_thread(work, *args)
    except StoreError as error:
        note_undone(fault.format(error))
        return None


def check_file(setting: str, place: str) -> None:
    """Raise SettingError if a setting that names a store's file has an address, or a folder."""
    if "://" in place:
        other = f"a {place.partition('://')[0]}:// address"
    elif place and Path(place).is_dir():
        other = f"the folder {place!r}"
    else:
        return
    raise SettingError(f"{setting} takes a file, such as {setting}.sqlite; got {other}")


def open_store(place: str, megabytes: float = MEGABYTES) -> SqliteStore:
    """The process's one store in a file; a fork opens its own. Nothing is read or written yet."""
    return _opened(str(Path(place).absolute()), megabytes, os.getpid())


@cache
def _opened(path: str, megabytes: float, owner: int) -> SqliteStore:  # noqa: ARG001  of one process
    store = SqliteStore(path, megabytes)
    atexit.register(store.close)
    return store
