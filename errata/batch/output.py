"""The output of a batch: each id's row once, and the files beside it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from errata.batch.lines import LineFile, rows_of
from errata.batch.work import Work
from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.tools.net.redaction import redact

MAY_CHANGE = frozenset(
    "at_once breaker_after breaker_seconds call_cache call_cache_hours page_cache page_timeout "
    "per_second prices record replay retries reuse timeout".split()
)
"""The settings that say how the work is done, not what comes out; they may change meanwhile."""
_BESIDE = ("calls.sqlite", "lock", "new", "problems.jsonl", "run.json")


@dataclass(frozen=True, kw_only=True)
class Record:
    """What the rows of an output are of, as `OUT.run.json` says."""

    method: str
    check: bool
    fields: list[str]
    settings: dict[str, Any]

    def flat(self) -> dict[str, Any]:
        """It with a name for each setting: `settings.top_k`."""
        settings = {f"settings.{name}": value for name, value in self.settings.items()}
        return {**vars(self), **settings, "settings": None}


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
        own = {"method": work.method, "check": work.check, "fields": list(self.fields)}
        values = json.loads(redact(json.dumps({**own, "settings": to_json(settings)})))
        if anew:
            self.path.unlink(missing_ok=True)
        elif self.path.exists():
            self._compare(Record(**values).flat())
        self._replace(self.beside("run.json"), [values])

    def _compare(self, now: dict[str, Any]) -> None:
        """Raise InputError unless the rows there were made by the same work as is done `now`."""
        instead = "name another --out, or begin again with --anew, which removes the rows there"
        record = self.beside("run.json")
        try:
            before = from_json(Record, json.loads(record.read_bytes())).flat()
        except (OSError, ValueError, RecursionError):
            raise InputError(
                f"{str(self.path)!r} is there, and not from a batch that left {record.name}; "
                f"{instead}"
            ) from None
        differs = [
            f"{name} was {before.get(name)!r:.80}, is {now.get(name)!r:.80}"
            for name in sorted(before | now)
            if before.get(name) != now.get(name)
        ]
        if differs:
            raise InputError(
                f"{str(self.path)!r} holds rows of other work: {'; '.join(differs)}; {instead}"
            )

    def drop_failed(self) -> None:
        """Take the failed rows out, so that they run again."""
        self._replace(self.path, (row for row in rows_of(self.path) if "error" not in row))

    def _replace(self, path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write rows in place of a file, in one step."""
        new = self.beside("new")
        with LineFile(new, afresh=True) as file:
            for row in rows:
                file.add(row)
        new.replace(path)
