"""Append-only files of JSON lines, read back whole after a crash.

A partial last line, which a kill left behind, is cut off when the file is read again.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Self

from errata.core.errors import InputError

SYNC_EVERY = 0.2
"""Seconds within which finished rows share one write to the disk."""


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file, if there is one; a partial last line, without its line feed, is cut off.

    Raises InputError naming file and line if a whole line is no object with an `id`.
    """
    if not path.exists():
        return
    with path.open("rb+") as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n"):
                yield _row_of(line, f"{path}, line {number}")
            else:
                file.truncate(file.tell() - len(line))


def _row_of(line: bytes, where: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
        fault = "" if isinstance(row["id"], str) else f"its id is {row['id']!r:.60}"
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        fault = str(error)
    if fault:
        raise InputError(
            f"{where}: not a row of a batch ({fault}); delete the line to have its input run "
            "again, or name another --out"
        )
    return row


class LineFile:
    """A file that rows are added to, each a line of JSON; several may share one sync."""

    def __init__(self, path: Path, *, afresh: bool = False) -> None:
        """Open the file to add to its end, or, if `afresh`, in place of an older one.

        Raises OSError if it cannot be written.
        """
        self._file = path.open("wb" if afresh else "ab")
        self._synced = monotonic()

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row; it survives a crash of the process at once, of the machine after a sync."""
        line = json.dumps(row, ensure_ascii=False) + "\n"
        self._file.write(line.encode(errors="replace"))
        self._file.flush()
        if monotonic() - self._synced >= SYNC_EVERY:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = monotonic()

    def __enter__(self) -> Self:
        """Close the file when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Sync all rows to the disk and close the file."""
        with self._file:
            self._sync()
