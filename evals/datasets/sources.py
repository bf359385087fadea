"""The files that a dataset comes in, ours or its authors': found in a folder, read, checked."""

import csv
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from errata.core.errors import InputError
from errata.evals.datasets.rows import Row, read_lines, read_rows
from errata.evals.items import Item

Parse = Callable[[Sequence[Row], Path], list[Item]]
"""Items of a file's rows; the file's own path leads to what lies beside it."""
SHARED = "our form, counted in the README.md of its folder"


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file that a dataset may come in, and what tells that it is the right one."""

    path: str
    """In the folder that is read; the file may lie there without its folders, too."""
    rows: int
    """How many rows it has, neither more nor less."""
    where: str
    """Who publishes it, by the name of a repository or site."""
    fields: tuple[str, ...]
    """What every row has, at least."""
    items: Parse
    read: Callable[[Path], Iterable[Row]] = read_rows
    parts: Mapping[str, int] = field(default_factory=dict)
    """The files that must lie beside it, and how many lines each has."""

    def find(self, folder: Path) -> Path | None:
        """The file in a folder; None if it is not there."""
        places = (folder / self.path, folder / Path(self.path).name)
        return next((place for place in places if place.is_file()), None)

    def __str__(self) -> str:
        """What is expected, for messages."""
        return f"{self.path} ({self.rows:,} rows; {self.where})"


def read_any(name: str, sources: Sequence[Source], folder: Path) -> list[Item]:
    """The items of the first of some sources that a folder has.

    Raises InputError if it has none of them, or if that file is not the one that is expected.
    """
    for source in sources:
        if path := source.find(folder):
            return parse(source, path)
    known = "; or ".join(map(str, sources))
    raise InputError(f"{folder} has no file of {name}: expected {known}")


def parse(source: Source, path: Path) -> list[Item]:
    """The items of a source's file; raises InputError if the file is not what is expected."""
    rows = read_checked(source, path)
    for name, lines in source.parts.items():
        _check_part(source, path, name, lines)
    try:
        return source.items(rows, path)
    except InputError:
        raise
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        message = f"{path}: a row has another form ({type(error).__name__}: {error})"
        raise InputError(f"{message}; expected {source}") from error


def read_checked(source: Source, path: Path) -> list[Row]:
    """The rows of a file; raises InputError if it cannot be read, or has other rows."""
    try:
        rows = list(source.read(path))
    except (OSError, EOFError, ValueError, TypeError, zlib.error, csv.Error) as error:
        message = f"{path} cannot be read ({type(error).__name__}: {error})"
        raise InputError(f"{message}; expected {source}") from error
    for place, row in enumerate(rows, start=1):
        _check_fields(source, path, place, row)
    if len(rows) != source.rows:
        count = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
        raise InputError(f"{path} has {count}; expected {source}: get the whole file")
    return rows


def _check_part(source: Source, path: Path, name: str, lines: int) -> None:
    part = path.with_name(name)
    if not part.is_file():
        raise InputError(f"{path} lacks {name} beside it; expected {source}")
    count = sum(1 for _ in read_lines(part))
    if count != lines:
        raise InputError(f"{part} has {count:,} lines; expected {lines:,} beside {source}")


def _check_fields(source: Source, path: Path, place: int, row: object) -> None:
    if not isinstance(row, dict):
        raise InputError(f"{path}, row {place} is a {type(row).__name__}; expected {source}")
    missing = [field for field in source.fields if field not in row]
    if missing:
        came = ", ".join(map(str, row)) or "none"
        raise InputError(
            f"{path}, row {place} lacks {', '.join(missing)}; it has {came}; expected {source}"
        )


def beside(file: Path, *names: str) -> Path | None:
    """The first of some files that lies beside a file, or beside its folder; None if none does."""
    places = (folder / name for folder in (file.parent, file.parent.parent) for name in names)
    return next((place for place in places if place.is_file()), None)
