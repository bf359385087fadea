"""The output of a batch: each id's row once, whole after a crash, and the files beside it."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

from errata.core.budgets import Cost
from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Usage
from errata.tools.net.redaction import redact

MAY_CHANGE = frozenset(
    "at_once breaker_after breaker_seconds call_cache page_cache page_timeout "
    "per_second prices record replay retries timeout".split()
)
"""The settings that say how the work is done, not what comes out; they may change meanwhile."""
_BESIDE = ("calls.sqlite", "lock", "new", "problems.jsonl", "run.json")


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file; a partial last line is cut off, and one that is no row an InputError."""
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
        if isinstance(row["id"], str):
            return row
        fault = f"its id is {row['id']!r:.60}"
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        fault = str(error)
    raise InputError(
        f"{where}: not a row of a batch ({fault}); delete the line to have its input run again, or "
        "name another --out"
    )


def add_row(file: BinaryIO, row: Mapping[str, Any]) -> None:
    """Write a row to the end of a file, and to the disk, before anything else happens."""
    file.write(_line_of(row))
    file.flush()
    os.fsync(file.fileno())


def _line_of(row: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(row, ensure_ascii=False)}\n".encode(errors="replace")


@dataclass(frozen=True)
class Output:
    """A batch's file of rows, and the files beside it that begin with its name."""

    path: Path

    def beside(self, name: str) -> Path:
        """A file beside the rows: `OUT.run.json` for `run.json`."""
        return self.path.parent / f"{self.path.name}.{name}"  # a folder may have no name

    def is_own(self, path: Path) -> bool:
        """Whether a path is that of the output, or of a file that a batch writes beside it."""
        own = [self.path, *map(self.beside, _BESIDE)]
        return path.exists() and any(each.exists() and each.samefile(path) for each in own)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the output; raises InputError if another process has it, or it cannot be written."""
        name = repr(str(self.path))
        if (self.path.exists() and not self.path.is_file()) or name == "'-'":
            raise InputError(f"cannot write {name}: it is no file to go on from; name a file")
        if not self.path.parent.is_dir():
            raise InputError(f"cannot write {name}: there is no folder {str(self.path.parent)!r}")
        try:
            with FileLock(self.beside("lock"), timeout=0):
                yield
        except Timeout as error:
            fault = f"another batch writes to {self.path}; wait for it, or name another --out"
            raise InputError(fault) from error
        except OSError as error:
            raise InputError(
                f"cannot go on: {error}; what is done is in {self.path}, and the same command "
                "goes on from there"
            ) from error

    def begin(self, work: Mapping[str, Any], *, anew: bool) -> None:
        """Note the work; raises InputError if the rows there are of other work, and how it differs.

        `work` has its `settings`. If `anew`, the rows there are removed.
        """
        own = {n: x for n, x in work["settings"].items() if n not in MAY_CHANGE and x != ""}
        now = json.loads(redact(json.dumps(to_json({**work, "settings": own}))))
        if anew:
            self.path.unlink(missing_ok=True)
        elif self.path.exists():
            self._compare(_flat(now))
        self._replace(self.beside("run.json"), [now])

    def _compare(self, now: dict[str, Any]) -> None:
        """Raise InputError unless the rows there were made by the same work as is done `now`."""
        instead = "name another --out, or begin again with --anew, which removes the rows there"
        record, name = self.beside("run.json"), repr(str(self.path))
        try:
            before = _flat(json.loads(record.read_bytes()))
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            fault = f"{name} is there, and not from a batch that left {record.name}; {instead}"
            raise InputError(fault) from None
        differs = [
            f"{each} was {before.get(each)!r:.80}, is {now.get(each)!r:.80}"
            for each in sorted(before | now)
            if before.get(each) != now.get(each)
        ]
        if differs:
            raise InputError(f"{name} holds rows of other work: {'; '.join(differs)}; {instead}")

    def drop_failed(self) -> None:
        """Take the failed rows out, so that they run again."""
        self._replace(self.path, (row for row in rows_of(self.path) if "error" not in row))

    def _replace(self, path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write rows in place of a file, in one step."""
        new = self.beside("new")
        with new.open("wb") as file:
            file.writelines(map(_line_of, rows))
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


def _flat(work: Any) -> dict[str, Any]:
    """What the rows are of, with a name for each setting: `settings.top_k`."""
    settings = {f"settings.{name}": value for name, value in dict(work["settings"]).items()}
    return {**work, **settings, "settings": None}


@dataclass(kw_only=True)
class Totals:
    """How far a batch is, and what it has cost this time."""

    before: int = 0
    done: int = 0
    """The rows done this time that did not fail."""
    failed: int = 0
    in_a_row: int = 0
    """The rows that failed one after another, up to now."""
    unjudged: int = 0
    """Of the rows done this time, those in which no claim was judged."""
    first_error: str = ""
    failed_before: int = 0
    """The rows that failed in an earlier run and were not run again."""
    problems: int = 0
    """The lines of the input that are no rows."""
    spent: Cost = field(default_factory=Cost)
    began: float = field(default_factory=monotonic)
    stopped: str = ""
    """Why the batch ended before its last row; empty if it did not."""

    @property
    def rows(self) -> int:
        """The rows in the output."""
        return self.before + self.done + self.failed

    @property
    def seconds(self) -> float:
        """Seconds since the batch began."""
        return monotonic() - self.began

    @property
    def rate(self) -> float:
        """Rows a second, of those that were run this time."""
        return (self.done + self.failed) / max(self.seconds, 1e-9)

    def count(self, row: Mapping[str, Any]) -> None:
        """Add an output row, and what it cost."""
        if "error" in row:
            self.failed, self.in_a_row = self.failed + 1, self.in_a_row + 1
            self.first_error = self.first_error or str(row["error"])
        else:
            self.done, self.in_a_row = self.done + 1, 0
            self.unjudged += row.get("checked") is False
        self.spent += Cost.of(from_json(Usage, row.get("usage", {})))
