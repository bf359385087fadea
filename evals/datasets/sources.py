"""The files that a dataset comes in: found in a folder, checked, and read into items."""

import csv
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from errata.core.errors import InputError
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.items import Dataset, Item, ItemsRead

SHARED = "our form, counted in the README.md of its folder"
Form = Callable[[Sequence[Row], Path], Iterable[Row]]
"""Makes other rows of a file's: fewer, more, or with what lies beside the file."""


@dataclass(frozen=True)
class Source:
    """A file that a dataset may come in, and how its rows become items."""

    path: str
    """In the folder that is read; the file may lie there without its folders, too."""
    rows: int
    """How many rows it has as it was published; another number is read, and said."""
    where: str
    """Who publishes it, by the name of a repository or site."""
    item: Callable[[Row, int], Item]
    """The item of a row and its number, from 0."""
    form: Form | None = None

    def find(self, folder: Path) -> Path | None:
        """The file in a folder; None if it is not there."""
        places = (folder / self.path, folder / Path(self.path).name)
        return next((place for place in places if place.is_file()), None)

    def __str__(self) -> str:
        """What is expected, for messages."""
        return f"{self.path} ({self.rows:,} rows; {self.where})"

    def items(self, path: Path) -> ItemsRead:
        """The items of the file, and a note where it is not as long as the published one.

        Raises InputError if the file is not what is expected.
        """
        try:
            found = list(read_rows(path))
        except (OSError, EOFError, ValueError, TypeError, zlib.error, csv.Error) as error:
            message = f"{path} cannot be read ({type(error).__name__}: {error})"
            raise InputError(f"{message}; expected {self}") from error
        if not found:
            raise InputError(f"{path} has no rows; expected {self}")
        try:
            formed = self.form(found, path) if self.form else found
            return ItemsRead([self.item(row, n) for n, row in enumerate(formed)], self._note(found))
        except InputError:
            raise
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            message = f"{path}: a row has another form ({type(error).__name__}: {error})"
            raise InputError(f"{message}; expected {self}") from error

    def _note(self, rows: Sequence[Row]) -> str:
        """What tells that the file has another number of rows than the published one."""
        if len(rows) == self.rows:
            return ""
        return f"{Path(self.path).name}: {len(rows):,} rows; the whole file has {self.rows:,}"


SOURCES = defaultdict[str, list[Source]](list)
"""The files that each dataset may come in, in the order in which they are looked for."""


def source(
    dataset: str, path: str, rows: int, where: str = SHARED, form: Form | None = None
) -> Callable[[Callable[[Row, int], Item]], Callable[[Row, int], Item]]:
    """Have a function make the items of a file that a dataset may come in."""

    def add(item: Callable[[Row, int], Item]) -> Callable[[Row, int], Item]:
        SOURCES[dataset].append(Source(path, rows, where, item, form))
        return item

    return add


def read_any(name: str, sources: Sequence[Source], folder: Path) -> ItemsRead:
    """The items of the first of some sources that a folder has.

    Raises InputError if it has none of them, or if that file is not the one that is expected.
    """
    for each in sources:
        if path := each.find(folder):
            return each.items(path)
    known = "; or ".join(map(str, sources))
    raise InputError(f"{folder} has no file of {name}: expected {known}")


def dataset_of(name: str, scorers: str, description: str) -> Dataset:
    """A dataset, read of the first of its files that is there; its cost is measured too."""
    read = partial(read_any, name, SOURCES[name])
    return Dataset(name, description, read, (*scorers.split(), "cost"))


def beside(file: Path, *names: str) -> Path | None:
    """The first of some files that lies beside a file, or beside its folder; None if none does."""
    places = (folder / name for folder in (file.parent, file.parent.parent) for name in names)
    return next((place for place in places if place.is_file()), None)
