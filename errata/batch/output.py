"""The output of a batch: each id's row once, and the files beside it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from errata.batch.lines import LineFile, whole_lines
from errata.batch.work import Work
from errata.core.errors import InputError
from errata.core.jsonable import to_json
from errata.tools.net.redaction import redact

MAY_CHANGE = frozenset(
    "at_once breaker_after breaker_seconds call_cache call_cache_hours call_cache_megabytes "
    "page_cache page_cache_hours page_timeout per_second prices record replay retries reuse "
    "search_cache timeout".split()
)
"""The settings that say how the work is done, not what comes out; they may change meanwhile."""
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
            raise InputError(f"cannot write beside {name}: {error.strerror or error}") from error

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

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows there; a partial last row is cut off.

        Raises InputError naming file and line if a whole line is no row.
        """
        lines = whole_lines(self.path) if self.path.exists() else ()
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                fault = "" if isinstance(row["id"], str) else f"its id is {row['id']!r:.60}"
            except (ValueError, LookupError, TypeError, RecursionError) as error:
                fault = str(error)
            if fault:
                raise InputError(
                    f"{self.path}, line {number}: not a row of a batch ({fault}); delete the line "
                    "to have its input run again, or name another --out"
                )
            yield row

    def drop_failed(self) -> None:
        """Take the failed rows out, so that they run again; the output is replaced in one step."""
        new = self.beside("new")
        with LineFile(new, afresh=True) as others:
            for row in self.rows():
                if "error" not in row:
                    others.add(row)
        new.replace(self.path)

    def chosen(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields of a row to write, always with id and error."""
        if not self.fields:
            return row
        return {name: row[name] for name in row if name in ("id", "error", *self.fields)}


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a run with a name for each setting: `settings.top_k`."""
    settings = {f"settings.{name}": value for name, value in record["settings"].items()}
    return {**record, **settings, "settings": None}
