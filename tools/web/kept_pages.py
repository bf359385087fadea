"""Pages kept in a SQLite file."""

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import TypeAdapter

from errata.tools.net.caches import Summary
from errata.tools.net.sqlite_table import ROW, SqliteTable

PAGES = 0x45505047
"""The application id of a file of pages."""
LARGEST = 1024 * 1_000_000
"""About the most bytes of a file."""
EVERY = 50
"""After how many writes the size is looked at."""
_HEADERS = TypeAdapter(tuple[dict[str, list[str]], dict[str, list[str]]])


@dataclass(frozen=True)
class KeptPage:
    """One response as it came, and what was asked."""

    id: str
    url: str
    asked: dict[str, list[str]]
    """The request's headers."""
    headers: dict[str, list[str]]
    body: bytes


def _page(row: Sequence[Any]) -> KeptPage | None:
    """A response from its row; None if another than ours wrote it, or it is damaged."""
    id_, url, head, body = row
    try:
        values = json.loads(head)
        asked, headers = _HEADERS.validate_python([values["asked"], values["headers"]])
        return KeptPage(UUID(id_).hex, str(url), asked, headers, bytes(memoryview(body)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


class KeptPages:
    """Responses by the digest of their address; the least recently used go when it is full."""

    def __init__(self, file: str) -> None:
        """A file, opened at its first use."""
        columns = "id TEXT NOT NULL, url TEXT NOT NULL, head TEXT NOT NULL, body BLOB NOT NULL"
        self._table = SqliteTable(file, "pages", columns, PAGES, LARGEST)

    def get(self, key: str) -> KeptPage | None:
        """The response under a key; None if there is none, or it is damaged.

        Raises StoreError.
        """
        told = "SELECT id, url, head, body FROM pages WHERE key = ?"
        row = self._table.run(lambda database: database.execute(told, (key,)).fetchone())
        return _page(row) if row else None

    def put(self, key: str, page: KeptPage) -> None:
        """Keep a response in place of what the key had.

        Raises StoreError.
        """
        head = json.dumps({"asked": page.asked, "headers": page.headers})
        size, now = len(head) + len(page.body) + ROW, time.time()
        row = (key, page.id, page.url, head, page.body, size, now, now)

        def write(database: sqlite3.Connection) -> None:
            told = "INSERT OR REPLACE INTO pages (key, id, url, head, body, bytes, made, used)"
            database.execute(f"{told} VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._table.bound(database, EVERY)

        self._table.run(write)

    def renew(self, id_: str, headers: dict[str, list[str]]) -> None:
        """Replace the headers of a response, which its server called still right.

        Raises StoreError.
        """

        def write(database: sqlite3.Connection) -> None:
            row = database.execute("SELECT head FROM pages WHERE id = ?", (id_,)).fetchone()
            if row:
                head = json.dumps({**json.loads(row[0]), "headers": headers})
                told = "UPDATE pages SET head = ?, made = ? WHERE id = ?"
                database.execute(told, (head, time.time(), id_))

        self._table.run(write)

    def remove(self, id_: str) -> None:
        """Take a response out.

        Raises StoreError.
        """
        self._table.run(lambda base: base.execute("DELETE FROM pages WHERE id = ?", (id_,)))

    def count_hit(self, key: str) -> None:
        """Note that a response was read from here.

        Raises StoreError.
        """
        self._table.run(lambda database: self._table.count_hit(database, key))

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and the least recently used over a size in bytes.

        Returns how many. Raises StoreError.
        """
        return self._table.prune(before, size)

    def summary(self) -> Summary:
        """What the file holds, by host.

        Raises StoreError.
        """

        def count(database: sqlite3.Connection) -> Summary:
            found = self._table.totals(database)
            for url, hits in database.execute("SELECT url, hits FROM pages"):
                found.add("host", urlsplit(url).hostname or "", 1, hits)
            return found

        return self._table.run(count)

    def close(self) -> None:
        """Close the file."""
        self._table.close()
