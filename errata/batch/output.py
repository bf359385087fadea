"""The output of a batch: each id's row once, on the disk before it counts as done."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from errata.batch.lines import LineFile, sync_folder, whole_lines
from errata.batch.parquet import is_parquet, write_parquet
from errata.batch.rows import ERROR, ID, Problem
from errata.batch.work import Work
from errata.core.errors import InputError
from errata.core.jsonable import to_json
from errata.durable.identity import MAY_CHANGE
from errata.tools.files.decoding import STDIN
from errata.tools.net.redaction import redact

Say = Callable[[str], None]
"""Takes a line for the person at the terminal."""
SAID = 100
"""How many problems are printed; all are in the file."""
ASIDE = "retrying.jsonl"
"""The file beside the output that holds the failed rows while they run again."""
_BESIDE = (ASIDE, "calls.sqlite", "lock", "new", "problems.jsonl", "rows.jsonl", "run.json")


@dataclass
class Known:
    """What an output holds: the digests of its rows' ids, and how many of them failed."""

    ids: set[int] = field(default_factory=set)
    failed: int = 0


def digest(name: str) -> int:
    """Eight bytes that stand for an id: 100 million ids collide in about one of 4,000 batches."""
    return int.from_bytes(blake2b(name.encode(errors="replace"), digest_size=8).digest())


@dataclass(frozen=True)
class Output:
    """A batch's file of rows, and the files beside it that begin with its name."""

    path: Path
    fields: Sequence[str] = ()
    """The fields of a row to write, besides its id and error; empty: all."""

    @property
    def rows(self) -> Path:
        """The file that rows are added to; for Parquet output, one beside it."""
        return self.beside("rows.jsonl") if is_parquet(self.path) else self.path

    def beside(self, name: str) -> Path:
        """A file beside the rows: `OUT.run.json` for `run.json`."""
        return self.path.with_name(f"{self.path.name}.{name}")

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
        self._check_place()
        lock = FileLock(self.beside("lock"), timeout=0)
        try:
            lock.acquire()
        except OSError as error:  # Timeout is one
            held = isinstance(error, Timeout) and os.access(lock.lock_file, os.W_OK)
            fault = f"another batch writes to {self.path}; wait for it"
            closed = f"cannot write beside {str(self.path)!r}; make its folder writable"
            raise InputError(f"{fault if held else closed}, or name another --out") from error
        try:
            yield
        finally:
            lock.release()

    def _check_place(self) -> None:
        if str(self.path) == STDIN:
            raise InputError("a batch goes on from its output, so --out must name a file; got '-'")
        if self.path.is_dir():
            raise InputError(f"cannot write {str(self.path)!r}: it is a folder; name a file")
        if self.path.exists() and not self.path.is_file():
            fault = "it is a device or a pipe; name a file"
            raise InputError(f"cannot write {str(self.path)!r}: {fault}")
        if not self.path.parent.is_dir():
            folder = str(self.path.parent)
            fault = f"there is no folder {folder!r}; make it first"
            raise InputError(f"cannot write {str(self.path)!r}: {fault}")

    def check_run(self, work: Work, *, anew: bool = False) -> None:
        """Check that the rows there are of the same work, or if `anew` remove them.

        Raises InputError that says what differs.
        """
        record, now = self.beside("run.json"), self._record(work)
        if anew:
            for each in (self.rows, self.path, self.beside(ASIDE)):
                each.unlink(missing_ok=True)
        elif self.rows.exists() or self.path.exists():
            self._compare(_read(record), now)
        new = self.beside("new")
        with LineFile(new, afresh=True) as file:
            file.add(now)
        new.replace(record)
        sync_folder(record)

    def _compare(self, before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> None:
        instead = "name another --out, or begin again with --anew, which removes the rows there"
        if before is None:
            raise InputError(
                f"{str(self.path)!r} is there, and not from a batch that left "
                f"{self.beside('run.json').name}; {instead}"
            )
        if differs := list(_differences(before, now)):
            raise InputError(
                f"{str(self.rows)!r} holds rows of other work: {'; '.join(differs)}; {instead}"
            )

    def _record(self, work: Work) -> dict[str, Any]:
        """The method and settings that make the rows, without secrets."""
        settings = {name: value for name, value in work.settings.items() if name not in MAY_CHANGE}
        values = {
            "method": work.method,
            "check": work.check,
            "fields": list(self.fields),
            "settings": to_json(settings),
        }
        return dict(json.loads(redact(json.dumps(values))))

    def known(self) -> Known:
        """The ids of the rows there, and how many failed; a partial last row is cut off.

        Raises InputError naming file and line if a whole line is no row.
        """
        found = Known()
        for row in self._rows():
            found.ids.add(digest(row[ID]))
            found.failed += ERROR in row
        return found

    def set_failed_aside(self) -> None:
        """Move the failed rows to a file beside the output, so that they run again.

        They are kept there until `put_failed_back`; the output is replaced in one step.
        """
        new, aside = self.beside("new"), self.beside(ASIDE)
        with LineFile(aside, afresh=True) as failed, LineFile(new, afresh=True) as others:
            for row, line in _rows_and_lines(self.rows):
                (failed if ERROR in row else others).add_line(line)
        new.replace(self.rows)
        sync_folder(self.rows)

    def put_failed_back(self) -> int:
        """Add the rows that were set aside and did not run again; return their number."""
        aside = self.beside(ASIDE)
        if not aside.exists():
            return 0
        known, count = self.known().ids, 0
        with self.open() as file:
            for row, line in _rows_and_lines(aside):
                if digest(row[ID]) not in known:
                    file.add_line(line)
                    count += 1
        aside.unlink()
        return count

    def open(self) -> LineFile:
        """The file to add rows to.

        Raises InputError if it cannot be written.
        """
        try:
            file = LineFile(self.rows)
            sync_folder(self.rows)
        except OSError as error:
            fault = error.strerror or error
            raise InputError(f"cannot write {str(self.path)!r}: {fault}") from error
        return file

    def chosen(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a row to write, always with id and error; for Parquet, all of them."""
        if not self.fields or is_parquet(self.path):
            return row
        return {name: row[name] for name in row if name in (ID, ERROR, *self.fields)}

    def finish(self) -> None:
        """Write the Parquet file from the rows, if the output is one.

        Raises InputError if pyarrow is missing.
        """
        if is_parquet(self.path):
            write_parquet(self._rows(), self.path, self.beside("new"), self.fields)

    def _rows(self) -> Iterator[dict[str, Any]]:
        return (row for row, _ in _rows_and_lines(self.rows))


def _rows_and_lines(path: Path) -> Iterator[tuple[dict[str, Any], bytes]]:
    if not path.exists():
        return
    for number, line in enumerate(whole_lines(path), start=1):
        yield _parsed(line, f"{path}, line {number}"), line


def _parsed(line: bytes, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
        if isinstance(row[ID], str):
            return dict(row)
        fault = f"its id is {row[ID]!r:.60}"
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        fault = str(error)
    raise InputError(
        f"{place}: not a row of a batch ({fault}); delete the line to have its input run again, or "
        "name another --out"
    )


def _read(path: Path) -> dict[str, Any] | None:
    """The record of an earlier run; None if there is none, or it is no such record."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    known = isinstance(record, dict) and isinstance(record.get("settings"), dict)
    return record if known else None


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What differs between the work of two runs, in words, setting by setting."""
    ours = {**before, **_flat(before), "settings": None}
    theirs = {**now, **_flat(now), "settings": None}
    for name in sorted(ours | theirs):
        if ours.get(name) != theirs.get(name):
            yield f"{name} was {ours.get(name)!r:.80}, is {theirs.get(name)!r:.80}"


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    return {f"settings.{name}": value for name, value in record.get("settings", {}).items()}


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

    def __enter__(self) -> Self:
        """Close the file when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Sync all problems to the disk and close the file."""
        if self._file:
            self._file.close()
