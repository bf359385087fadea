"""Where replies and pages are kept by key: in Redis, or whatever store is at a place."""

import asyncio
import atexit
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from errata.core.errors import InputError, SettingError, require
from errata.core.limits import note_undone
from errata.tools.net.redaction import without_login
from errata.tools.net.sqlite_store import (
    MEGABYTES,
    Entry,
    Kind,
    SqliteStore,
    StoreError,
    Summary,
    kind_of,
)

REDIS = ("redis://", "rediss://")
PREFIX, HITS = "errata:call:", "errata:call-hits"
"""How keys in Redis begin, and a hash of how often what has some names gave an answer."""
SECONDS = 5.0
"""How long Redis may take to answer."""
PAUSE = 30.0
"""Seconds for which Redis is left alone after it failed, so that not every call waits for it."""


class RedisStore:
    """Entries in Redis, for processes on several machines; its `maxmemory` bounds their size.

    Every method raises StoreError if Redis cannot be used.
    """

    def __init__(self, url: str) -> None:
        """Redis at a URL; it is not asked yet.

        Raises SettingError if the package `redis` is missing or the URL is wrong.
        """
        require("call_cache in Redis", "redis", "redis")
        from redis import Redis

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
        with self._asking():
            self._redis.hincrby(HITS, json.dumps(dict(entry.names), sort_keys=True), 1)

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
                found.add(json.dumps(dict(entry.names)), 1, 0)
            for names, hits in self._redis.hgetall(HITS).items():
                found.hits += int(hits)
                found.add(names, 0, int(hits))
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


async def attempt(fault: str, work: Callable[..., Any], *args: Any) -> Any:
    """Do a store's work in a thread; None where it fails, which is noted as a `fault` of `{}`."""
    try:
        return await asyncio.to_thread(work, *args)
    except StoreError as error:
        note_undone(fault.format(error))
        return None


@cache
def open_store(place: str, kind: Kind, megabytes: int = MEGABYTES) -> Store:
    """The process's one store at a place; a fork opens its own. Nothing is read or written yet.

    Raises SettingError if Redis cannot be used.
    """
    redis = place.startswith(REDIS)
    store: Store = RedisStore(place) if redis else SqliteStore(place, kind, megabytes)
    atexit.register(store.close)
    return store


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=open_store.cache_clear)


def find_store(place: str) -> Store:
    """The store that is at a place, whatever its kind.

    Raises InputError if there is none.
    """
    if place.startswith(REDIS):
        return RedisStore(place)
    try:
        kind = kind_of(Path(place))
    except OSError as error:
        raise InputError(f"cannot read the cache {place!r}: {error.strerror}") from error
    if kind is None:
        raise InputError(f"{place!r} is no cache of calls or pages")
    return SqliteStore(place, kind)
