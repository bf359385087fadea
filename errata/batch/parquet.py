"""Batches in Parquet: read a few rows at a time, write flat columns."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.batch.rows import (
    ERROR,
    FORM,
    ID,
    MAX_ROW_BYTES,
    BatchRow,
    Problem,
    read_row,
    too_long,
)
from errata.core.errors import InputError, SettingError
from errata.tools.files.rows import parse_json

PIECE = 16
"""Rows that are read at a time."""
GROUP = 1000
"""The most rows in a row group of the output."""
GROUP_SIZE = 50_000_000
"""The characters of JSON at which a row group ends early."""
_NAMES = (ID, "question", "draft", "documents")
_TEXTS = (ID, "question", "draft", "response", "label", ERROR, "method", "action")
_COUNTS = ("model_calls", "prompt_tokens", "completion_tokens")
_AMOUNTS = ("money", "seconds")
_KINDS = {
    **dict.fromkeys(_TEXTS, "string"),
    "changed": "bool",
    **dict.fromkeys(_COUNTS, "int64"),
    **dict.fromkeys(_AMOUNTS, "double"),
    "result": "string",
}
COLUMNS = tuple(_KINDS)
"""The columns of an output: a row's own fields, those of its usage, and the whole row as JSON."""


def is_parquet(path: str | Path) -> bool:
    """Whether a file's name says that it is Parquet."""
    return Path(path).suffix == ".parquet"


@dataclass(frozen=True)
class ParquetRows:
    """Rows in a Parquet file with the columns id, question, draft and documents."""

    place: str
    corrects: bool = True
    """Whether a draft suffices; else a row needs a question."""
    most: int = MAX_ROW_BYTES

    @property
    def name(self) -> str:
        """The input's name in problems."""
        return self.place

    def read(self) -> Iterator[tuple[int, BatchRow | Problem]]:
        """Every row, or what is wrong with it, with its number, from 1.

        Raises InputError if the file cannot be read, or has neither a question nor a draft column.
        """
        with self._opened() as file:
            for number, values in enumerate(self._values(file, self._names(file)), start=1):
                yield number, self._row(values, number)

    def _names(self, file: Any) -> list[str]:
        names = [name for name in _NAMES if name in file.schema_arrow.names]
        if not {"question", "draft"} & set(names):
            found = ", ".join(file.schema_arrow.names)
            raise InputError(f"{self.place} has the columns {found}; {FORM}")
        return names

    def _values(self, file: Any, names: Sequence[str]) -> Iterator[dict[str, Any] | str]:
        try:
            for piece in file.iter_batches(batch_size=PIECE, columns=names):
                for place in range(piece.num_rows):
                    yield _row_of(piece, place)
        except (OSError, ValueError) as error:
            raise InputError(f"{self.place} is broken: {error}") from error

    def count(self) -> int:
        """How many rows there are.

        Raises InputError if the file cannot be read, or has neither a question nor a draft column.
        """
        with self._opened() as file:
            self._names(file)
            return int(file.metadata.num_rows)

    def _row(self, values: dict[str, Any] | str, number: int) -> BatchRow | Problem:
        if isinstance(values, str):
            return Problem(file=self.place, line=number, error=values)
        size = sum(len(str(value)) for value in values.values())
        try:
            if size > self.most:
                raise too_long(self.most)
            if isinstance(values.get("documents"), str):
                values["documents"] = parse_json(values["documents"], "documents")
        except InputError as error:
            return Problem(file=self.place, line=number, error=str(error))
        return read_row(values, self.place, number, corrects=self.corrects, unit="row")

    def _opened(self) -> Any:
        try:
            return _pyarrow_parquet().ParquetFile(self.place)
        except (OSError, ValueError) as error:  # pyarrow's own errors are subclasses of these
            raise InputError(f"cannot read {self.place!r} as Parquet: {error}") from error


def _row_of(piece: Any, place: int) -> dict[str, Any] | str:
    """A row's values, or what is wrong with them."""
    try:
        values: dict[str, Any] = piece.slice(place, 1).to_pylist()[0]
    except ValueError as error:
        return f"a value of the row cannot be read: {error}"
    return values


def write_parquet(
    rows: Iterable[Mapping[str, Any]], path: Path, new: Path, fields: Sequence[str]
) -> None:
    """Write rows as a Parquet file, first as `new`, which then replaces `path` in one step."""
    parquet = _pyarrow_parquet()
    import pyarrow as pa

    names = [name for name in COLUMNS if not fields or name in (ID, ERROR, *fields)]
    schema = pa.schema([(name, pa.type_for_alias(_KINDS[name])) for name in names])
    with parquet.ParquetWriter(new, schema) as writer:
        for group in _groups(map(_flat, rows)):
            writer.write_table(pa.Table.from_pylist(group, schema))
    new.replace(path)


def check_fields(fields: Iterable[str]) -> None:
    """Raise SettingError for a field that a Parquet output has no column for.

    Raises InputError if pyarrow is missing, before rows are paid for.
    """
    _pyarrow_parquet()
    unknown = [name for name in fields if name not in COLUMNS]
    if unknown:
        raise SettingError(
            f"fields: a Parquet output has no column {unknown[0]!r}; it has {', '.join(COLUMNS)}"
        )


def _groups(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group, size = list[dict[str, Any]](), 0
    for row in rows:
        group.append(row)
        size += len(row["result"])
        if len(group) >= GROUP or size >= GROUP_SIZE:
            yield group
            group, size = [], 0
    yield group


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    usage = row.get("usage", {})
    return {
        **{name: row.get(name) for name in (*_TEXTS, "changed")},
        **{name: usage.get(name) for name in (*_COUNTS, *_AMOUNTS)},
        "result": json.dumps(row, ensure_ascii=False),
    }


def _pyarrow_parquet() -> Any:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(
            "Parquet needs the package pyarrow: pip install 'errata[parquet]', or use JSON lines"
        ) from error
    return parquet
