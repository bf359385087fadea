"""Calls kept in Redis, for processes on several machines."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from errata.core.errors import SettingError
from errata.tools.models.kept import Kept, read_kept
from errata.tools.net.caches import StoreError, Summary
from errata.tools.net.redaction import without_login

T = TypeVar("T")
PREFIX = "errata:call:"
HITS = "errata:call-hits"
"""A hash: how often a prompt of a model was answered from the cache."""
SECONDS = 5.0
"""How long Redis may take to answer."""
PAUSE = 30.0
"""Seconds for which Redis is left alone after it failed, so that not every call waits for it."""


class RedisCalls:
    """Replies under keys of their own; Redis bounds their size by its `maxmemory`."""

    def __init__(self, url: str) -> None:
        """Redis at a URL; it is not asked yet.

        Raises SettingError if the package `redis` is missing or the URL is wrong.
        """
        try:
            from redis import Redis
        except ImportError as error:
            raise SettingError("call_cache in Redis: pip install 'errata[redis]'") from error
        self._name = without_login(url)
        try:
            self._redis = Redis.from_url(
                url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS
            )
        except ValueError as error:
            raise SettingError(f"call_cache: {self._name!r} is no address: {error}") from error
        self._rest, self._fault = 0.0, ""

    def get(self, key: str, since: float) -> Kept | None:
        """What is kept under a key since then; it counts as a hit.

        Raises StoreError.
        """
        value = self._run(lambda: self._redis.get(PREFIX + key))
        kept = read_kept(value) if isinstance(value, bytes) else None
        if kept is None or kept["made"] < since:
            return None
        name = json.dumps([kept["model"], kept["prompt"]])
        self._run(lambda: self._redis.hincrby(HITS, name, 1))
        return kept

    def put(self, key: str, kept: Kept) -> None:
        """Keep a reply in place of what the key had.

        Raises StoreError.
        """
        self._run(lambda: self._redis.set(PREFIX + key, json.dumps(kept)))

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and the oldest of what is over a size in bytes.

        Returns how many. Raises StoreError.
        """
        return self._run(lambda: self._prune(before, size))

    def summary(self) -> Summary:
        """What Redis holds of ours.

        Raises StoreError.
        """
        return self._run(self._summary)

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    def _prune(self, before: float | None, size: int | None) -> int:
        total, stale = 0, list[Any]()
        for name, bytes_, kept in sorted(self._entries(), key=lambda row: -_made(row[2])):
            total += bytes_
            if (before is not None and _made(kept) < before) or (size is not None and total > size):
                stale.append(name)
        return sum(int(self._delete(name)) for name in stale)

    def _delete(self, name: bytes) -> int:
        gone: Any = self._redis.delete(name)
        return int(gone)

    def _entries(self) -> Iterator[tuple[bytes, int, Kept | None]]:
        """Every key of ours with its size in bytes and its reply; None if that is damaged."""
        for name in self._redis.scan_iter(f"{PREFIX}*", count=1000):
            value = self._redis.get(name)
            if isinstance(value, bytes):
                yield name, len(name) + len(value), read_kept(value)

    def _summary(self) -> Summary:
        found, made = Summary("calls"), list[float]()
        for _, size, kept in self._entries():
            found.entries += 1
            found.size += size
            made.append(_made(kept))
            if kept:
                found.add("model", kept["model"], 1, 0)
                found.add("prompt", kept["prompt"], 1, 0)
        found.oldest, found.newest = min(made, default=None), max(made, default=None)
        counts: Any = self._redis.hgetall(HITS)
        for name, hits in counts.items():
            model, prompt = json.loads(name)
            found.hits += int(hits)
            found.add("model", model, 0, int(hits))
            found.add("prompt", prompt, 0, int(hits))
        return found

    def _run(self, work: Callable[[], T]) -> T:
        from redis import RedisError

        if time.monotonic() < self._rest:
            raise StoreError(self._fault)
        try:
            return work()
        except (RedisError, OSError) as error:
            self._fault = f"{self._name}: {type(error).__name__}"
            self._rest = time.monotonic() + PAUSE
            raise StoreError(self._fault) from error


def _made(kept: Kept | None) -> float:
    return kept["made"] if kept else 0.0
