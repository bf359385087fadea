"""The files that a dataset comes in: found in a folder, checked, and read by a map of fields."""

import csv
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Any

from errata.core.errors import InputError
from errata.evals.datasets.rows import Row, read_lines, read_rows
from errata.evals.items import Dataset, Item, Reading

SHARED = "our form, counted in the README.md of its folder"
PLACE = "place"
"""In a map of fields: the number of a row, from 0."""
_GOLD = "gold."


@dataclass(frozen=True)
class Of:
    """A value made of some columns of a row."""

    make: Callable[..., Any]
    columns: tuple[str, ...]


def of(make: Callable[..., Any], *columns: str) -> Of:
    """What a function makes of columns; their names are what a file must have."""
    return Of(make, columns)


def group_of(kind: str, column: str) -> Of:
    """A group by a kind of thing and its text in lower case."""
    return of(lambda text: f"{kind}:{text.strip().lower()}", column)


def as_they_are(rows: Sequence[Row], _: Path) -> Sequence[Row]:
    """The rows of a file that has all that its items need."""
    return rows


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file that a dataset may come in, and how its rows become items."""

    path: str
    """In the folder that is read; the file may lie there without its folders, too."""
    rows: int
    """How many rows it has as it was published; another number is read, and said."""
    where: str
    """Who publishes it, by the name of a repository or site."""
    fields: Mapping[str, str | Of]
    """For each field of an item a column, a text such as `popqa:{id}`, or what is made of columns.

    `gold.NAME` is a key of the gold, which an item without such a value lacks.
    """
    needs: tuple[str, ...] = ()
    """The columns that the file must have, where `prepare` makes others of them."""
    prepare: Callable[[Sequence[Row], Path], Iterable[Row]] = as_they_are
    """The rows that the fields are read of: fewer, split, or with what lies beside the file."""
    read: Callable[[Path], Iterable[Row]] = read_rows
    parts: Mapping[str, int] = field(default_factory=dict)
    """The files that must lie beside it, and how many lines each has as it was published."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What every row of the file has, at least."""
        named = (name for how in self.fields.values() for name in _columns(how))
        return self.needs or tuple(dict.fromkeys(name for name in named if name != PLACE))

    def find(self, folder: Path) -> Path | None:
        """The file in a folder; None if it is not there."""
        places = (folder / self.path, folder / Path(self.path).name)
        return next((place for place in places if place.is_file()), None)

    def items(self, path: Path) -> Reading:
        """The items of the file, and a note where it is not as long as the published one.

        Raises InputError if the file is not what is expected.
        """
        rows = self._checked_rows(path)
        notes = [_note(path, len(rows), self), *self._part_notes(path)]
        try:
            items = [self._item(row, n) for n, row in enumerate(self.prepare(rows, path))]
        except InputError:
            raise
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            message = f"{path}: a row has another form ({type(error).__name__}: {error})"
            raise InputError(f"{message}; expected {self}") from error
        return Reading(items, "; ".join(filter(None, notes)))

    def __str__(self) -> str:
        """What is expected, for messages."""
        return f"{self.path} ({self.rows:,} rows; {self.where})"

    def _item(self, row: Row, place: int) -> Item:
        known = {PLACE: place, **row}
        values = {name: _value(how, known) for name, how in self.fields.items()}
        known_gold = {name: value for name, value in values.items() if value is not None}
        gold = {n.removeprefix(_GOLD): v for n, v in known_gold.items() if n.startswith(_GOLD)}
        own = {name: value for name, value in values.items() if not name.startswith(_GOLD)}
        return Item(gold=gold, **own)

    def _checked_rows(self, path: Path) -> list[Row]:
        try:
            rows = list(self.read(path))
        except (OSError, EOFError, ValueError, TypeError, zlib.error, csv.Error) as error:
            message = f"{path} cannot be read ({type(error).__name__}: {error})"
            raise InputError(f"{message}; expected {self}") from error
        if not rows:
            raise InputError(f"{path} has no rows; expected {self}")
        for place, row in enumerate(rows, start=1):
            self._check_columns(path, place, row)
        return rows

    def _check_columns(self, path: Path, place: int, row: object) -> None:
        if not isinstance(row, dict):
            raise InputError(f"{path}, row {place} is a {type(row).__name__}; expected {self}")
        if missing := [name for name in self.columns if name not in row]:
            came = ", ".join(map(str, row)) or "none"
            raise InputError(
                f"{path}, row {place} lacks {', '.join(missing)}; it has {came}; expected {self}"
            )

    def _part_notes(self, path: Path) -> Iterator[str]:
        for name, lines in self.parts.items():
            part = path.with_name(name)
            if not part.is_file():
                raise InputError(f"{path} lacks {name} beside it; expected {self}")
            count = sum(1 for _ in read_lines(part))
            if count != lines:
                yield f"{part}: {count:,} lines; the published file has {lines:,}"


def read_any(name: str, sources: Sequence[Source], folder: Path) -> Reading:
    """The items of the first of some sources that a folder has.

    Raises InputError if it has none of them, or if that file is not the one that is expected.
    """
    for source in sources:
        if path := source.find(folder):
            return source.items(path)
    known = "; or ".join(map(str, sources))
    raise InputError(f"{folder} has no file of {name}: expected {known}")


def dataset_of(name: str, description: str, sources: Sequence[Source], *scorers: str) -> Dataset:
    """The dataset that comes in the first of some files that is there; its cost is measured too."""
    return Dataset(name, description, partial(read_any, name, sources), (*scorers, "cost"))


def beside(file: Path, *names: str) -> Path | None:
    """The first of some files that lies beside a file, or beside its folder; None if none does."""
    places = (folder / name for folder in (file.parent, file.parent.parent) for name in names)
    return next((place for place in places if place.is_file()), None)


def _columns(how: str | Of) -> tuple[str, ...]:
    if isinstance(how, Of):
        return how.columns
    named = [name for _, name, _, _ in Formatter().parse(how) if name]
    return tuple(named) if "{" in how else (how,)


def _value(how: str | Of, row: Row) -> Any:
    if isinstance(how, Of):
        return how.make(*(row[name] for name in how.columns))
    return how.format_map(row) if "{" in how else row[how]


def _note(path: Path, count: int, source: Source) -> str:
    """What tells that a file has another number of rows; empty where it has not."""
    if count == source.rows:
        return ""
    whole = "whole file" if source.where.startswith(SHARED) else "published file"
    many = "" if count == 1 else "s"
    return f"{path}: {count:,} row{many}; the {whole} has {source.rows:,}"
