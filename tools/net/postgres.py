"""A connection to Postgres, which is left alone for a while after it failed."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any, Protocol, TypeVar

from errata.tools.net.redaction import redact, without_login
from errata.tools.net.sqlite_store import StoreError

T = TypeVar("T")
SECONDS, SECONDS_TO_CONNECT = 20, 5
"""How long Postgres may take to answer."""
PAUSE = 30.0
"""Seconds for which Postgres is left alone after it failed; not every claim waits for it."""
_SETTING_UP = 0x65766964
"""The key of the lock under which Postgres makes the tables."""


class Database(Protocol):
    """What runs statements whose parameters are question marks."""

    def execute(self, told: str, values: Sequence[Any] = ..., /) -> Any:
        """Run one; the result has `fetchall` and `rowcount`."""


class Postgres:
    """A connection for one thread at a time; one that was lost is opened again."""

    def __init__(self, address: str, schema: str) -> None:
        """A database, in which `schema` makes the tables; nothing is asked yet."""
        self._address, self._schema, self._lock = address, schema, Lock()
        self._connection: Any = None
        self._rest, self._fault = 0.0, ""

    def run(self, work: Callable[[Database], T]) -> T:
        """Do some work, alone in this process.

        Raises StoreError.
        """
        from psycopg import Error, OperationalError

        with self._lock:
            if monotonic() < self._rest:
                raise StoreError(self._fault)
            try:
                was_open = self._connection is not None
                try:
                    return work(self._opened())
                except OperationalError:
                    self._drop()
                    if not was_open:
                        raise
                    return work(self._opened())
            except Error as error:
                self._drop()
                fault = redact((str(error).strip() or repr(error)).splitlines()[0])
                self._fault = f"{without_login(self._address)}: {fault}"
                self._rest = monotonic() + PAUSE
                raise StoreError(self._fault) from error

    def execute(self, told: str, values: Sequence[Any] = (), /) -> Any:
        """Run a statement."""
        return self._connection.execute(told.replace("?", "%s"), values or None)

    def close(self) -> None:
        """Close the connection; the next work opens it again."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _opened(self) -> "Postgres":
        if self._connection is None:
            from psycopg import connect

            options: Any = {
                "connect_timeout": SECONDS_TO_CONNECT,
                "tcp_user_timeout": SECONDS * 1000,
            }
            self._connection = connect(
                self._address, autocommit=True, prepare_threshold=None, **options
            )
            self.execute(f"SET statement_timeout = {SECONDS * 1000}")
            with whole(self):
                self.execute("SELECT pg_advisory_xact_lock(?)", (_SETTING_UP,))
                self.execute(self._schema)
        return self


@contextmanager
def whole(database: Database) -> Iterator[None]:
    """Do all that is in the block, or nothing of it."""
    database.execute("BEGIN")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
