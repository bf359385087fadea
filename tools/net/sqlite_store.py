"""Bytes kept by key in a SQLite file, which threads and processes share; a damaged one goes aside.

An entry has names that it is counted by: a model and a prompt, a host, or a search engine.
"""

import json
import os
import sqlite3
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Self, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from errata.core.errors import SettingError
from errata.core.limits import note_undone

T = TypeVar("T")
Kind = Literal["calls", "pages", "searches"]
KINDS: Mapping[Kind, int] = {"calls": 0x45434144, "pages": 0x45505048, "searches": 0x45535243}
"""The application id that marks a file of each kind."""
MEGABYTES = 1024
"""About the largest size of a file where nothing else is said."""
ROW = 200
"""Bytes that a row takes besides what it keeps."""
EVERY = 50
"""After how many writes the size is looked at."""
SPARED = 0.9
"""The share of the largest size that is left when it was reached."""
WAIT = 20.0
"""Seconds to wait for another process's write."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, value BLOB NOT NULL, names TEXT NOT NULL, bytes INTEGER NOT NULL,
    made REAL NOT NULL, used REAL NOT NULL, hits INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS by_use ON entries (used, bytes);
"""
_READ = "SELECT key, value, names, made FROM entries"
_KEEP = (
    "INSERT INTO entries (key, value, names, bytes, made, used) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value, names = excluded.names, "
    "bytes = excluded.bytes, made = excluded.made, used = excluded.used"
)
_SHRINK = (
    "DELETE FROM entries WHERE key IN (SELECT key FROM (SELECT key, sum(bytes) OVER "
    "(ORDER BY used DESC, key) AS total FROM entries) WHERE total > ?) RETURNING 1"
)
"""Takes out the least recently used over a size."""
_SUMS = (
    "SELECT count(*), coalesce(sum(bytes), 0), min(made), max(made), coalesce(sum(hits), 0) "
    "FROM entries"
)
_GROUPS = (
    "SELECT each.key, each.value, count(*), sum(hits) FROM entries, json_each(names) AS each "
    "GROUP BY 1, 2"
)


class StoreError(Exception):
    """A store cannot be read or written."""


@dataclass(frozen=True)
class Entry:
    """What is kept under a key."""

    value: bytes
    names: Mapping[str, str]
    """What it is counted by: its model, prompt, host or engine."""
    made: float = field(default_factory=time.time)
    """In seconds since 1970."""


class Stored(BaseModel):
    """What a store keeps as JSON."""

    model_config = ConfigDict(frozen=True, ser_json_bytes="base64", val_json_bytes="base64")

    @classmethod
    def read(cls, entry: Entry | None) -> Self | None:
        """It from an entry; None if there is none, it is damaged, or of another form."""
        try:
            return cls.model_validate_json(entry.value) if entry else None
        except ValidationError:
            return None


@dataclass
class Summary:
    """What a store holds."""

    kind: str
    """`calls`, `pages` or `searches`."""
    entries: int = 0
    size: int = 0
    """Bytes."""
    oldest: float | None = None
    """When the oldest entry was made, in seconds since 1970; null if there is none."""
    newest: float | None = None
    hits: int = 0
    """How often it gave an answer; each saved a call to a model, a search or the load of a page."""
    by: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    """Entries and hits by model, prompt, host or engine."""


class SqliteStore:
    """Entries in a SQLite file, the least recently used of which go when it is full.

    Threads and processes share it. It is opened at its first use; what was written outlives a
    killed process. Every method raises StoreError if the file cannot be used, and SettingError if
    it is another database, a text or a folder. A damaged file is renamed with a note, and the work
    done on a new one.
    """

    def __init__(self, path: str, kind: Kind, megabytes: float = MEGABYTES) -> None:
        """A file of about so many megabytes at most."""
        self._path, self._kind, self._largest = Path(path), kind, megabytes * 1_000_000
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._writes = count()

    def close(self) -> None:
        """Close the file; the next work opens it again."""
        with self._lock:
            self._close()

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work, alone in this process; each statement commits by itself."""
        with self._lock:
            try:
                try:
                    return work(self._opened())
                except sqlite3.DatabaseError as error:
                    fault = str(getattr(error, "sqlite_errorname", ""))
                    if not fault.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
                        raise
                    self._close()
                    self._set_aside()
                    return work(self._opened())
            except (sqlite3.Error, OSError, Timeout) as error:
                raise StoreError(f"{str(self._path)!r}: {error}") from error

    def _do(self, told: str, *values: str | bytes | float) -> list[Any]:
        """The rows that one statement gives."""
        return self._run(lambda database: database.execute(told, values).fetchall())

    def _close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if not self._connection:
            if self._path.is_dir():
                raise SettingError(f"a store is a file; {str(self._path)!r} is a folder")
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)  # what it keeps is for its owner alone
            # Processes that open a new file at once would fight over its journal.
            with self._alone():
                self._connection = self._connect()
        return self._connection

    def _connect(self) -> sqlite3.Connection:
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
        """Make the tables of a new file; refuse one with other tables."""
        [kind] = connection.execute("PRAGMA application_id").fetchone()
        tables = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        if kind != KINDS[self._kind]:
            if tables:
                raise SettingError(
                    f"{str(self._path)!r} is a database of something else, and was left as it is; "
                    "name another file"
                )
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            connection.execute(f"PRAGMA application_id={KINDS[self._kind]}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)

    def _alone(self) -> FileLock:
        return FileLock(f"{self._path}.lock", timeout=WAIT)

    def _set_aside(self) -> None:
        """Rename a damaged file, unless another process did and a sound one stands there now."""
        with self._alone():
            with suppress(sqlite3.DatabaseError), closing(self._connect()) as connection:
                if connection.execute("PRAGMA quick_check").fetchone() == ("ok",):
                    return
            if other := _describe_other(self._path):
                raise SettingError(
                    f"{str(self._path)!r} is {other} and no cache, and was left as it is; name "
                    "another file"
                )
            name = f"{self._path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            for part in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    Path(f"{self._path}{part}").replace(f"{name}{part}")
        note_undone(f"the cache {str(self._path)!r} was damaged; it is now {name!r}, and a new one")

    def get(self, key: str, since: float = 0.0) -> Entry | None:
        """What is kept under a key since then; None if there is none, or its row is damaged."""
        return self._read(f"{_READ} WHERE key = ? AND made >= ?", key, since).get(key)

    def under(self, prefix: str) -> dict[str, Entry]:
        """What is kept under keys that begin so, by key, the oldest first."""
        return self._read(f"{_READ} WHERE key GLOB ? ORDER BY made", f"{prefix}*")

    def _read(self, told: str, *values: str | float) -> dict[str, Entry]:
        found = dict[str, Entry]()
        for key, value, names, made in self._do(told, *values):
            with suppress(ValueError, TypeError):  # a row that is damaged
                found[key] = Entry(bytes(memoryview(value)), json.loads(names), made)
        return found

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry in place of what the key had."""
        names = json.dumps(dict(entry.names), sort_keys=True)
        size = len(entry.value) + len(names) + ROW
        self._do(_KEEP, key, entry.value, names, size, entry.made, time.time())
        if next(self._writes) % EVERY == 0:
            [[total]] = self._do("SELECT sum(bytes) FROM entries")
            if (total or 0) > self._largest:
                self.prune(size=int(self._largest * SPARED))

    def count_hit(self, key: str) -> None:
        """Note that an entry gave an answer; it is worth more than its being counted."""
        with suppress(StoreError):  # a disk that is full, or may only be read
            self._do("UPDATE entries SET hits = hits + 1, used = ? WHERE key = ?", time.time(), key)

    def remove(self, key: str) -> None:
        """Take an entry out."""
        self._do("DELETE FROM entries WHERE key = ?", key)

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and what is over a size in bytes; returns how many.

        The least recently used go first, and the room is given back.
        """
        bounds = {"DELETE FROM entries WHERE made < ? RETURNING 1": before, _SHRINK: size}
        gone = sum(len(self._do(told, x)) for told, x in bounds.items() if x is not None)
        # A script runs to its end, where the file gets smaller by all its free pages.
        give_back = "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)"
        self._run(lambda database: database.executescript(give_back))
        return gone

    def summary(self) -> Summary:
        """What the file holds."""
        [whole] = self._do(_SUMS)
        found = Summary(self._kind, *whole)
        for part, name, entries, hits in self._do(_GROUPS):
            found.by.setdefault(part, {})[name] = {"entries": entries, "hits": hits}
        return found


def _describe_other(path: Path) -> str:
    """What a file is that a user may have named by mistake, by its beginning; else empty."""
    with path.open("rb") as file:
        start = file.read(4096)
    if start.startswith(b"\x1f\x8b"):
        return "a packed file"
    try:
        return "" if "\0" in getincrementaldecoder("utf-8")().decode(start) else "a text"
    except UnicodeDecodeError:
        return ""


def kind_of(path: Path) -> Kind | None:
    """The kind of store that a file is by its application id; None if it is none.

    Raises OSError if it cannot be read.
    """
    with path.open("rb") as file:
        header = file.read(72)
    mark = int.from_bytes(header[68:], "big") if header.startswith(b"SQLite format 3\0") else 0
    return next((kind for kind, each in KINDS.items() if each == mark), None)
