"""Parquet files by pyarrow: opened to be read, and written from the rows of a batch."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from errata.core.errors import InputError, SettingError, require

GROUP = 1000
"""The most rows in a row group of the output."""
GROUP_SIZE = 50_000_000
"""The characters of JSON at which a row group ends early."""
_COUNTS = ("model_calls", "prompt_tokens", "completion_tokens")
_AMOUNTS = ("money", "seconds")
_KINDS = {
    **dict.fromkeys("id question draft response label error method action".split(), "string"),
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


def open_parquet(place: str) -> Any:
    """A Parquet file, to be used in a `with`.

    Raises InputError if it cannot be read, or pyarrow is missing.
    """
    try:
        return _pyarrow_parquet().ParquetFile(place)
    except (OSError, ValueError) as error:  # pyarrow's own errors are subclasses of these
        raise InputError(f"cannot read {place!r} as Parquet: {error}") from error


def check_fields(fields: Iterable[str]) -> None:
    """Raise SettingError for a field that a Parquet output has no column for.

    Raises InputError if pyarrow is missing, before rows are paid for.
    """
    _pyarrow_parquet()
    if unknown := [name for name in fields if name not in COLUMNS]:
        raise SettingError(
            f"fields: a Parquet output has no column {unknown[0]!r}; it has {', '.join(COLUMNS)}"
        )


def write_parquet(
    rows: Iterable[Mapping[str, Any]], path: Path, new: Path, fields: Sequence[str]
) -> None:
    """Write rows as a Parquet file, first as `new`, which then replaces `path` in one step."""
    parquet = _pyarrow_parquet()
    import pyarrow as pa

    names = [name for name in COLUMNS if not fields or name in ("id", "error", *fields)]
    schema = pa.schema([(name, pa.type_for_alias(_KINDS[name])) for name in names])
    with parquet.ParquetWriter(new, schema) as writer:
        for group in _groups(rows):
            writer.write_table(pa.Table.from_pylist(group, schema))
    new.replace(path)


def _groups(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The flat columns of all rows, group by group; at least one group, which may be empty."""
    group, size = list[dict[str, Any]](), 0
    for row in rows:
        usage, result = row.get("usage", {}), json.dumps(row, ensure_ascii=False)
        flat = {n: (usage if n in (*_COUNTS, *_AMOUNTS) else row).get(n) for n in COLUMNS}
        group.append({**flat, "result": result})
        size += len(result)
        if len(group) >= GROUP or size >= GROUP_SIZE:
            yield group
            group, size = [], 0
    yield group


def _pyarrow_parquet() -> Any:
    require("Parquet", "parquet", "pyarrow")
    from pyarrow import parquet

    return parquet
