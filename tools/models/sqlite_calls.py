"""Calls kept in a SQLite file."""

import json
import sqlite3
import time

from errata.tools.models.kept import Kept, read_kept
from errata.tools.net.caches import Summary
from errata.tools.net.sqlite_table import ROW, SqliteTable

CALLS = 0x45434143
"""The application id of a file of calls."""
EVERY = 500
"""After how many writes the size is looked at."""


class SqliteCalls:
    """Replies in a table, the least recently used of which go when it is full."""

    def __init__(self, path: str, megabytes: int = 1024) -> None:
        """A file of about so many megabytes at most."""
        columns = "model TEXT NOT NULL, prompt TEXT NOT NULL, value TEXT NOT NULL"
        self._table = SqliteTable(path, "calls", columns, CALLS, megabytes * 1_000_000)

    def get(self, key: str, since: float) -> Kept | None:
        """What is kept under a key since then; it counts as a hit.

        Raises StoreError.
        """

        def read(database: sqlite3.Connection) -> Kept | None:
            told = "SELECT value FROM calls WHERE key = ? AND made >= ?"
            row = database.execute(told, (key, since)).fetchone()
            kept = read_kept(row[0]) if row else None
            if kept:
                self._table.count_hit(database, key)
            return kept

        return self._table.run(read)

    def put(self, key: str, kept: Kept) -> None:
        """Keep a reply in place of what the key had.

        Raises StoreError.
        """
        value = json.dumps(kept)
        model, prompt, made = kept["model"], kept["prompt"], kept["made"]
        row = (key, model, prompt, value, len(value) + ROW, made, time.time())

        def write(database: sqlite3.Connection) -> None:
            told = "INSERT OR REPLACE INTO calls (key, model, prompt, value, bytes, made, used)"
            database.execute(f"{told} VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._table.bound(database, EVERY)

        self._table.run(write)

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and the least recently used over a size in bytes.

        Returns how many. Raises StoreError.
        """
        return self._table.prune(before, size)

    def summary(self) -> Summary:
        """What the file holds, by model and by prompt.

        Raises StoreError.
        """

        def count(database: sqlite3.Connection) -> Summary:
            found = self._table.totals(database)
            groups = "SELECT model, prompt, count(*), sum(hits) FROM calls GROUP BY model, prompt"
            for model, prompt, entries, hits in database.execute(groups):
                found.add("model", model, entries, hits)
                found.add("prompt", prompt, entries, hits)
            return found

        return self._table.run(count)

    def close(self) -> None:
        """Close the file."""
        self._table.close()
