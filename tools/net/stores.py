"""Where replies, pages and searches are kept by key, in a file or in Redis that processes share.

A store keeps bytes, and the names that they are counted by: of a model and a prompt, of a host, or
of a search engine.
"""

import asyncio
import atexit
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from filelock import Timeout

from errata.core.errors import InputError, SettingError
from errata.core.limits import note_undone
from errata.tools.net.redaction import without_login
from errata.tools.net.sqlite_file import SqliteFile, application_id

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
_COLUMNS = (
    "key TEXT PRIMARY KEY, value BLOB NOT NULL, names TEXT NOT NULL, bytes INTEGER NOT NULL, "
    "made REAL NOT NULL, used REAL NOT NULL, hits INTEGER NOT NULL DEFAULT 0"
)
_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS entries ({_COLUMNS})",
    "CREATE INDEX IF NOT EXISTS by_use ON entries (used, bytes)",
)
_KEEP = (
    "INSERT INTO entries (key, value, names, bytes, made, used) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value, names = excluded.names, "
    "bytes = excluded.bytes, made = excluded.made, used = excluded.used"
)
REDIS = ("redis://", "rediss://")
PREFIX, HITS = "errata:call:", "errata:call-hits"
"""How keys in Redis begin, and a hash of how often what has some names gave an answer."""
SECONDS = 5.0
"""How long Redis may take to answer."""
PAUSE = 30.0
"""Seconds for which Redis is left alone after it failed, so that not every call waits for it."""


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

    def add(self, names: Mapping[str, str], entries: int, hits: int) -> None:
        """Count some entries and hits under their names."""
        for part, name in names.items():
            counts = self.by.setdefault(part, {}).setdefault(name, {"entries": 0, "hits": 0})
            counts["entries"] += entries
            counts["hits"] += hits


async def attempt(fault: str, work: Callable[..., Any], *args: Any) -> Any:
    """Do a store's work in a thread; None where it fails, which is noted as a `fault` of `{}`."""
    try:
        return await asyncio.to_thread(work, *args)
    except StoreError as error:
        note_undone(fault.format(error))
        return None


class SqliteStore:
    """Entries in a SQLite file, the least recently used of which go when it is full.

    Every method raises StoreError if the file cannot be used, as do those of RedisStore.
    """

    def __init__(self, path: str, kind: Kind, megabytes: int = MEGABYTES) -> None:
        """A file of about so many megabytes at most, opened at its first use."""
        self._kind, self._largest = kind, megabytes * 1_000_000
        self._writes = count()
        self._file = SqliteFile(path, _SCHEMA, KINDS[kind])

    def get(self, key: str, since: float = 0.0) -> Entry | None:
        """What is kept under a key since then; None if there is none, or its row is damaged."""
        told = "SELECT value, names, made FROM entries WHERE key = ? AND made >= ?"
        row = self._run(lambda database: database.execute(told, (key, since)).fetchone())
        try:
            return Entry(bytes(memoryview(row[0])), _names(row[1]), row[2]) if row else None
        except (ValueError, TypeError):
            return None

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry in place of what the key had."""
        names = json.dumps(dict(entry.names), sort_keys=True)
        size, now = len(entry.value) + len(names) + ROW, time.time()

        def write(database: sqlite3.Connection) -> None:
            database.execute(_KEEP, (key, entry.value, names, size, entry.made, now))
            if next(self._writes) % EVERY:
                return
            [total] = database.execute("SELECT sum(bytes) FROM entries").fetchone()
            if (total or 0) > self._largest:
                _shrink(database, int(self._largest * SPARED))
                _give_back(database)

        self._run(write)

    def count_hit(self, key: str, entry: Entry) -> None:  # noqa: ARG002  as in Redis
        """Note that an entry gave an answer; it is worth more than its being counted."""

        def write(database: sqlite3.Connection) -> None:
            told = "UPDATE entries SET hits = hits + 1, used = ? WHERE key = ?"
            with suppress(sqlite3.OperationalError):  # a disk that is full, or may only be read
                database.execute(told, (time.time(), key))

        self._run(write)

    def remove(self, key: str) -> None:
        """Take an entry out."""
        self._run(lambda database: database.execute("DELETE FROM entries WHERE key = ?", (key,)))

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and what is over a size in bytes; returns how many.

        The least recently used go first, and the room is given back.
        """

        def work(database: sqlite3.Connection) -> int:
            old = "DELETE FROM entries WHERE made < ?"
            gone = 0 if before is None else database.execute(old, (before,)).rowcount
            gone += 0 if size is None else _shrink(database, size)
            _give_back(database)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return gone

        return self._run(work)

    def summary(self) -> Summary:
        """What the file holds."""

        def work(database: sqlite3.Connection) -> Summary:
            sums = "count(*), coalesce(sum(bytes), 0), min(made), max(made), coalesce(sum(hits), 0)"
            found = Summary(self._kind, *database.execute(f"SELECT {sums} FROM entries").fetchone())  # noqa: S608
            groups = "SELECT names, count(*), sum(hits) FROM entries GROUP BY names"
            for names, entries, hits in database.execute(groups):
                found.add(_names(names), entries, hits)
            return found

        return self._run(work)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work on the database.

        Raises StoreError if the file cannot be used, SettingError if it is something else.
        """
        try:
            return self._file.run(work)
        except (sqlite3.Error, OSError, Timeout) as error:
            raise StoreError(f"{str(self._file.path)!r}: {error}") from error


def _shrink(database: sqlite3.Connection, size: int) -> int:
    """Take out the least recently used over a size; returns how many."""
    total = "sum(bytes) OVER (ORDER BY used DESC, key) AS total"
    over = f"SELECT key FROM (SELECT key, {total} FROM entries) WHERE total > ?"  # noqa: S608
    return database.execute(f"DELETE FROM entries WHERE key IN ({over})", (size,)).rowcount  # noqa: S608


def _give_back(database: sqlite3.Connection) -> None:
    """Make the file smaller by its free pages."""
    database.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page alone


def _names(text: str) -> dict[str, str]:
    names: Any = json.loads(text)
    return {str(part): str(name) for part, name in names.items()} if names else {}


class RedisStore:
    """Entries in Redis, for processes on several machines; its `maxmemory` bounds their size."""

    def __init__(self, url: str) -> None:
        """Redis at a URL; it is not asked yet.

        Raises SettingError if the package `redis` is missing or the URL is wrong.
        """
        try:
            from redis import Redis
        except ImportError as error:
            raise SettingError("call_cache in Redis: pip install 'errata[redis]'") from error
        self._name = without_login(url)
        bounds = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS}
        try:
            self._redis: Any = Redis.from_url(url, **bounds)
        except ValueError as error:
            raise SettingError(f"call_cache: {self._name!r} is no address: {error}") from error
        self._rest, self._fault = 0.0, ""

    def get(self, key: str, since: float = 0.0) -> Entry | None:
        """What is kept under a key since then; None if there is none, or it is damaged."""
        with self._asking():
            entry = _unpack(self._redis.get(PREFIX + key))
        return entry if entry and entry.made >= since else None

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry in place of what the key had."""
        head = json.dumps({"names": dict(entry.names), "made": entry.made})
        with self._asking():
            self._redis.set(PREFIX + key, head.encode() + b"\n" + entry.value)

    def count_hit(self, key: str, entry: Entry) -> None:  # noqa: ARG002  as in a file
        """Note that an entry gave an answer."""
        names = json.dumps(dict(entry.names), sort_keys=True)
        with self._asking():
            self._redis.hincrby(HITS, names, 1)

    def remove(self, key: str) -> None:
        """Take an entry out."""
        with self._asking():
            self._redis.delete(PREFIX + key)

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and the oldest over a size; returns how many."""
        total, gone = 0, 0
        with self._asking():
            for name, bytes_, entry in sorted(self._entries(), key=lambda row: -row[2].made):
                total += bytes_
                is_old = before is not None and entry.made < before
                if is_old or (size is not None and total > size):
                    gone += int(self._redis.delete(name))
        return gone

    def summary(self) -> Summary:
        """What Redis holds of ours."""
        found, made = Summary("calls"), list[float]()
        with self._asking():
            for _, size, entry in self._entries():
                found.entries += 1
                found.size += size
                made.append(entry.made)
                found.add(entry.names, 1, 0)
            for names, hits in self._redis.hgetall(HITS).items():
                found.hits += int(hits)
                found.add(_names(names), 0, int(hits))
        found.oldest, found.newest = min(made, default=None), max(made, default=None)
        return found

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    def _entries(self) -> Iterator[tuple[bytes, int, Entry]]:
        """Every key of ours with its size in bytes and its entry; an empty one if it is damaged."""
        for name in self._redis.scan_iter(f"{PREFIX}*", count=1000):
            value = self._redis.get(name)
            if isinstance(value, bytes):
                yield name, len(name) + len(value), _unpack(value) or Entry(b"", {}, 0.0)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Ask Redis inside the block, unless it failed a moment ago; raises StoreError."""
        from redis import RedisError

        if time.monotonic() < self._rest:
            raise StoreError(self._fault)
        try:
            yield
        except (RedisError, OSError) as error:
            self._fault = f"{self._name}: {type(error).__name__}"
            self._rest = time.monotonic() + PAUSE
            raise StoreError(self._fault) from error


def _unpack(value: object) -> Entry | None:
    head, _, body = value.partition(b"\n") if isinstance(value, bytes) else (b"", b"", b"")
    try:
        told = json.loads(head)
        return Entry(body, dict(told["names"]), float(told["made"]))
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


Store = SqliteStore | RedisStore
"""Entries by key."""


def open_store(place: str, kind: Kind, megabytes: int = MEGABYTES) -> Store:
    """The process's one store at a place; a fork opens its own. Nothing is read or written yet.

    Raises SettingError if Redis cannot be used.
    """
    return _open(place, kind, megabytes, os.getpid())


@cache
def _open(place: str, kind: Kind, megabytes: int, _process: int) -> Store:
    redis = place.startswith(REDIS)
    store: Store = RedisStore(place) if redis else SqliteStore(place, kind, megabytes)
    atexit.register(store.close)
    return store


def find_store(place: str) -> Store:
    """The store that is at a place, whatever its kind.

    Raises InputError if there is none.
    """
    if place.startswith(REDIS):
        return RedisStore(place)
    try:
        found = application_id(Path(place))
    except OSError as error:
        raise InputError(f"cannot read the cache {place!r}: {error.strerror}") from error
    kind = next((kind for kind, mark in KINDS.items() if mark == found), None)
    if kind is None:
        raise InputError(f"{place!r} is no cache of calls or pages")
    return SqliteStore(place, kind)
