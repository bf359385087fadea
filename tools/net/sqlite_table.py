"""A table of a shared SQLite file: bounded in size, least recently used rows first.

It has the columns `key`, `bytes`, `made`, `used` and `hits`.
"""

import sqlite3
import time
from collections.abc import Callable
from itertools import count
from typing import TypeVar

from filelock import Timeout

from errata.tools.net.caches import StoreError, Summary
from errata.tools.net.sqlite_file import SqliteFile

T = TypeVar("T")
COLUMNS = (
    "key TEXT PRIMARY KEY, bytes INTEGER NOT NULL, made REAL NOT NULL, used REAL NOT NULL, "
    "hits INTEGER NOT NULL DEFAULT 0"
)
ROW = 200
"""Bytes that a row takes besides what it keeps."""
SPARED = 0.9
"""The share of the largest size that is left when it was reached."""


class SqliteTable:
    """Rows by key in a file of their own."""

    def __init__(self, path: str, name: str, columns: str, kind: int, largest: int) -> None:
        """A table with these columns besides the common ones, of about `largest` bytes at most.

        `kind` is the application id that marks the file.
        """
        self.name = name
        self._largest = largest
        self._writes = count()
        self._file = SqliteFile(
            path,
            (
                f"CREATE TABLE IF NOT EXISTS {name} ({COLUMNS}, {columns})",
                f"CREATE INDEX IF NOT EXISTS {name}_by_use ON {name} (used, bytes)",
            ),
            kind,
        )

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work on the database.

        Raises StoreError if the file cannot be used, SettingError if it is another database.
        """
        try:
            return self._file.run(work)
        except (sqlite3.Error, OSError, Timeout) as error:
            raise StoreError(f"{str(self._file.path)!r}: {error}") from error

    def count_hit(self, database: sqlite3.Connection, key: str) -> None:
        """Note that a row was used; what it keeps is worth more than its being counted."""
        told = f"UPDATE {self.name} SET hits = hits + 1, used = ? WHERE key = ?"  # noqa: S608
        try:
            database.execute(told, (time.time(), key))
        except sqlite3.OperationalError:  # a disk that is full, or may only be read
            return

    def bound(self, database: sqlite3.Connection, every: int) -> None:
        """Make room if the table is too large; it is looked at once in `every` calls."""
        if next(self._writes) % every:
            return
        [size] = database.execute(f"SELECT sum(bytes) FROM {self.name}").fetchone()  # noqa: S608
        if (size or 0) > self._largest:
            self._shrink(database, int(self._largest * SPARED))
            _give_back(database)

    def prune(self, before: float | None, size: int | None) -> int:
        """Take out what was made before then, and the least recently used over a size in bytes.

        Returns how many; the file gives back the room. Raises StoreError.
        """

        def work(database: sqlite3.Connection) -> int:
            old = f"DELETE FROM {self.name} WHERE made < ?"  # noqa: S608
            gone = 0 if before is None else database.execute(old, (before,)).rowcount
            gone += 0 if size is None else self._shrink(database, size)
            _give_back(database)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return gone

        return self.run(work)

    def totals(self, database: sqlite3.Connection) -> Summary:
        """Entries, bytes, ages and hits."""
        sums = "count(*), coalesce(sum(bytes), 0), min(made), max(made), coalesce(sum(hits), 0)"
        row = database.execute(f"SELECT {sums} FROM {self.name}").fetchone()  # noqa: S608
        return Summary(self.name, *row)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _shrink(self, database: sqlite3.Connection, size: int) -> int:
        total = "sum(bytes) OVER (ORDER BY used DESC, key) AS total"
        over = f"SELECT key FROM (SELECT key, {total} FROM {self.name}) WHERE total > ?"  # noqa: S608
        told = f"DELETE FROM {self.name} WHERE key IN ({over})"  # noqa: S608
        return database.execute(told, (size,)).rowcount


def _give_back(database: sqlite3.Connection) -> None:
    """Make the file smaller by its free pages."""
    database.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page alone
