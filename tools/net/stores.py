"""The process's stores of replies, pages and searches, each opened once for its file."""

import asyncio
import atexit
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from errata.core.errors import InputError, SettingError
from errata.core.limits import note_undone
from errata.tools.net.sqlite_store import MEGABYTES, Kind, SqliteStore, StoreError, kind_of


async def attempt(fault: str, work: Callable[..., Any], *args: Any) -> Any:
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


def open_store(place: str, kind: Kind, megabytes: float = MEGABYTES) -> SqliteStore:
    """The process's one store in a file; a fork opens its own. Nothing is read or written yet."""
    return _opened(Path(place).absolute(), kind, megabytes)


@cache
def _opened(path: Path, kind: Kind, megabytes: float) -> SqliteStore:
    store = SqliteStore(str(path), kind, megabytes)
    atexit.register(store.close)
    return store


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_opened.cache_clear)


def find_store(place: str) -> SqliteStore:
    """The store that a file is, whatever its kind.

    Raises InputError if it is none, and SettingError for an address.
    """
    check_file("cache", place)
    try:
        kind = kind_of(Path(place))
    except OSError as error:
        raise InputError(f"cannot read the cache {place!r}: {error.strerror}") from error
    if kind is None:
        raise InputError(f"{place!r} is no cache of calls or pages")
    return SqliteStore(place, kind)
