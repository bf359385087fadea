"""A SQLite file that threads and processes write to at once; a damaged one is set aside."""

import os
import sqlite3
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import TypeVar

from filelock import FileLock

from errata.core.errors import SettingError
from errata.core.limits import note_undone

T = TypeVar("T")
WAIT = 20.0
"""Seconds to wait for another process's write."""
_DAMAGE = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
_PARTS = ("", "-wal", "-shm")


class SqliteFile:
    """One file, opened at its first use; its writes outlive a killed process."""

    def __init__(self, path: str, schema: Sequence[str], kind: int) -> None:
        """A file whose tables `schema` makes; `kind` is the application id that marks it."""
        self.path = Path(path)
        self._schema = schema
        self._kind = kind
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work on the database, alone in this process; each statement commits by itself.

        A damaged file is renamed with a note, and the work done on a new one. Raises SettingError
        if the file is another database, a text or a folder, sqlite3.Error or OSError if it cannot
        be used.
        """
        with self._lock:
            try:
                return work(self._opened())
            except sqlite3.DatabaseError as error:
                if not str(getattr(error, "sqlite_errorname", "")).startswith(_DAMAGE):
                    raise
                self._close()
                self._set_aside()
                return work(self._opened())

    def close(self) -> None:
        """Close the file; the next work opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if not self._connection:
            if self.path.is_dir():
                raise SettingError(f"a cache is a file; {str(self.path)!r} is a folder")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # what it keeps is for its owner alone
            # Processes that open a new file at once would fight over its journal.
            with self._alone():
                self._connection = self._connect()
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=WAIT, isolation_level=None, check_same_thread=False
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
        if kind != self._kind and tables:
            raise SettingError(
                f"{str(self.path)!r} is a database of something else, and was left as it is; "
                "name another file"
            )
        if kind != self._kind:
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            connection.execute(f"PRAGMA application_id={self._kind}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        for statement in self._schema:
            connection.execute(statement)

    def _alone(self) -> FileLock:
        return FileLock(f"{self.path}.lock", timeout=WAIT)

    def _set_aside(self) -> None:
        """Rename a damaged file, unless another process did and a sound one stands there now."""
        with self._alone():
            if self._is_sound():
                return
            if _is_text(self.path):
                raise SettingError(
                    f"{str(self.path)!r} is a text and no cache, and was left as it is; name "
                    "another file"
                )
            name = f"{self.path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            for part in _PARTS:
                found = Path(f"{self.path}{part}")
                if found.exists():
                    found.replace(f"{name}{part}")
        note_undone(f"the cache {str(self.path)!r} was damaged; it is now {name!r}, and a new one")

    def _is_sound(self) -> bool:
        try:
            with closing(self._connect()) as connection:
                return bool(connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
        except sqlite3.DatabaseError:
            return False


def _is_text(path: Path) -> bool:
    """Whether a file begins as a text does, so that a user may have named it by mistake."""
    with path.open("rb") as file:
        start = file.read(4096)
    try:
        return "\0" not in getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False


def application_id(path: Path) -> int:
    """The application id of a SQLite file; 0 if it has none, or is no such file.

    Raises OSError if it cannot be read.
    """
    with path.open("rb") as file:
        header = file.read(72)
    magic = header.startswith(b"SQLite format 3\0")
    return int.from_bytes(header[68:72], "big") if magic and len(header) == 72 else 0  # noqa: PLR2004
