"""The output of a batch: each id's row once, on the disk before it counts as done."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from errata.batch.lines import LineFile, sync_folder, whole_lines
from errata.batch.rows import Problem
from errata.batch.work import Work
from errata.core.errors import InputError
from errata.core.identity import MAY_CHANGE
from errata.core.jsonable import to_json
from errata.tools.files.decoding import STDIN
from errata.tools.net.redaction import redact

Say = Callable[[str], None]
"""Takes a line for the person at the terminal."""
SAID = 100
"""How many problems are printed; all are in the file."""
_BESIDE = ("calls.sqlite", "lock", "new", "problems.jsonl", "run.json")


def digest(name: str) -> int:
    """Eight bytes that stand for an id: 100 million ids collide in about one of 4,000 batches."""
    return int.from_bytes(blake2b(name.encode(errors="replace"), digest_size=8).digest())


@dataclass(frozen=True)
class Output:
    """A batch's file of rows, and the files beside it that begin with its name."""

    path: Path
    fields: Sequence[str] = ()
    """The fields of a row to write, besides its id and error; empty: all."""

    def beside(self, name: str) -> Path:
        """A file beside the rows: `OUT.run.json` for `run.json`."""
        return self.path.parent / f"{self.path.name}.{name}"  # a folder may have no name

    def is_own(self, path: Path) -> bool:
        """Whether a path is that of the output, or of a file that a batch writes beside it."""
        own = [self.path, *map(self.beside, _BESIDE)]
        same = path.exists() and self.path.exists() and path.samefile(self.path)
        return same or path.resolve() in [each.resolve() for each in own]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the output, so that no other process pays for the same rows.

        Raises InputError if another process holds the lock, or the output cannot be written.
        """
        folder, fault = str(self.path.parent), ""
        if str(self.path) == STDIN:
            raise InputError("a batch goes on from its output, so --out must name a file; got '-'")
        if self.path.is_dir():
            fault = "it is a folder; name a file"
        elif self.path.exists() and not self.path.is_file():
            fault = "it is a device or a pipe; name a file"
        elif not self.path.parent.is_dir():
            fault = f"there is no folder {folder!r}; make it first"
        if fault:
            raise InputError(f"cannot write {str(self.path)!r}: {fault}")
        lock = FileLock(self.beside("lock"), timeout=0)
        try:
            lock.acquire()
        except OSError as error:  # Timeout is one
            fault = f"cannot write beside {str(self.path)!r}; make its folder writable"
            if isinstance(error, Timeout) and os.access(lock.lock_file, os.W_OK):
                fault = f"another batch writes to {self.path}; wait for it"
            raise InputError(f"{fault}, or name another --out") from error
        try:
            yield
        finally:
            lock.release()

    def check_run(self, work: Work, *, anew: bool = False) -> None:
        """Check that the rows there are of the same work, or if `anew` remove them.

        Raises InputError that says what differs.
        """
        settings = {name: value for name, value in work.settings.items() if name not in MAY_CHANGE}
        values = {
            "method": work.method,
            "check": work.check,
            "fields": list(self.fields),
            "settings": to_json(settings),
        }
        now = dict(json.loads(redact(json.dumps(values))))
        if anew:
            self.path.unlink(missing_ok=True)
        elif self.path.exists():
            self._compare(now)
        new = self.beside("new")
        with LineFile(new, afresh=True) as file:
            file.add(now)
        new.replace(self.beside("run.json"))
        sync_folder(new)

    def _compare(self, now: Mapping[str, Any]) -> None:
        """Raise InputError unless the rows there were made by the same work as is done `now`."""
        instead = "name another --out, or begin again with --anew, which removes the rows there"
        record = self.beside("run.json")
        try:
            before = _flat(json.loads(record.read_bytes()))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{str(self.path)!r} is there, and not from a batch that left {record.name}; "
                f"{instead}"
            ) from None
        values = _flat(now)
        differs = [
            f"{name} was {before.get(name)!r:.80}, is {values.get(name)!r:.80}"
            for name in sorted(before | values)
            if before.get(name) != values.get(name)
        ]
        if differs:
            raise InputError(
                f"{str(self.path)!r} holds rows of other work: {'; '.join(differs)}; {instead}"
            )

    def known(self) -> tuple[set[int], int]:
        """The digests of the ids of the rows there, and how many rows failed.

        A partial last row is cut off. Raises InputError naming file and line if a whole line is no
        row.
        """
        ids, failed = set[int](), 0
        for row, _ in _rows_and_lines(self.path):
            ids.add(digest(row["id"]))
            failed += "error" in row
        return ids, failed

    def drop_failed(self) -> None:
        """Take the failed rows out, so that they run again; the output is replaced in one step."""
        new = self.beside("new")
        with LineFile(new, afresh=True) as others:
            for row, line in _rows_and_lines(self.path):
                if "error" not in row:
                    others.add_line(line)
        new.replace(self.path)
        sync_folder(self.path)

    def open(self) -> LineFile:
        """The file to add rows to.

        Raises InputError if it cannot be written.
        """
        try:
            file = LineFile(self.path)
            sync_folder(self.path)
        except OSError as error:
            fault = error.strerror or error
            raise InputError(f"cannot write {str(self.path)!r}: {fault}") from error
        return file

    def chosen(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a row to write, always with id and error."""
        if not self.fields:
            return row
        return {name: row[name] for name in row if name in ("id", "error", *self.fields)}


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a run with a name for each setting: `settings.top_k`."""
    settings = {f"settings.{name}": value for name, value in record["settings"].items()}
    return {**record, **settings, "settings": None}


def _rows_and_lines(path: Path) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The rows of a file, each with its line; none if there is no file."""
    for number, line in enumerate(whole_lines(path) if path.exists() else (), start=1):
        try:
            row = json.loads(line)
            fault = "" if isinstance(row["id"], str) else f"its id is {row['id']!r:.60}"
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            fault = str(error)
        if fault:
            raise InputError(
                f"{path}, line {number}: not a row of a batch ({fault}); delete the line to have "
                "its input run again, or name another --out"
            )
        yield row, line


class ProblemFile:
    """The problems of a run beside its output, as JSON lines; no file if there are none."""

    def __init__(self, path: Path, say: Say) -> None:
        """Remove the problems of an earlier run: this one reads the input from its start."""
        self._path, self._say = path, say
        self._file: LineFile | None = None
        self.count = 0
        path.unlink(missing_ok=True)

    def add(self, problem: Problem) -> None:
        """Print a problem, if it is among the first `SAID`, and write it to the file."""
        self.count += 1
        if self.count <= SAID:
            self._say(f"errata: {problem}")
        elif self.count == SAID + 1:
            self._say(f"errata: further problems are only kept, in {self._path}")
        self._file = self._file or LineFile(self._path, afresh=True)
        values = to_json(problem)
        self._file.add(values if problem.id else {n: v for n, v in values.items() if n != "id"})

    def close(self) -> None:
        """Sync all problems to the disk and close the file."""
        if self._file:
            self._file.close()
