"""Rows: of JSON documents and JSON lines, and of tables, which can be told in sentences."""

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import zip_longest
from typing import Any

from errata.core.errors import InputError
from errata.tools.files.decoding import without_surrogates

TEXT_FIELDS = ("text", "page_content", "content")
"""Where an object may have its text, the first that it has."""


def parse_json(text: str, where: str) -> Any:
    """The JSON value in a text that errors call `where`; lone surrogates become U+FFFD."""
    try:
        return _clean(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column" if error.lineno > 1 else "column"
        raise InputError(f"{where}: not JSON: {error.msg} at {place} {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: JSON that cannot be read: {error}") from error


def parse_json_row(line: str, where: str) -> dict[str, object]:
    """The JSON object on a line that errors call `where`; raises InputError if it is none."""
    row = parse_json(line, where)
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a JSON object, got {type(row).__name__}")
    return row


def numbered_lines(text: str, name: str) -> Iterator[tuple[str, str]]:
    """The lines that hold anything, each with its place; only a line feed ends a line of JSON."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{name}, line {number}", line


def parse_rows(text: str, name: str, *, lines: bool = False) -> Iterator[tuple[str, object]]:
    """The rows of JSON lines, or of a JSON list or a single value, each with its place."""
    if lines:
        yield from ((where, parse_json(line, where)) for where, line in numbered_lines(text, name))
    elif isinstance(value := parse_json(text, name), list):
        yield from ((f"{name}, item {n}", each) for n, each in enumerate(value, start=1))
    else:
        yield name, value


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {without_surrogates(name): _clean(each) for name, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list) else value


def describe_table(text: str, name: str) -> str:
    """A CSV table as text: `name: value; name: value.`, a paragraph a row; values alone, unnamed.

    Its first line tells the delimiter. Raises InputError, which calls it by `name`.
    """
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        cells = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        rows = [row for each in cells if any(row := [" ".join(cell.split()) for cell in each])]
    except csv.Error as error:
        raise InputError(f"{name} is not a readable CSV file: {error}") from error
    header, lines = rows[0] if _has_header(rows) else [], list[str]()
    for row in rows[1:] if header else rows:
        pairs = zip_longest(header, row, fillvalue="")
        line = "; ".join(f"{column}: {cell}" if column else cell for column, cell in pairs if cell)
        lines.append(line if line.endswith((".", "!", "?")) else f"{line}.")
    return "\n\n".join(lines)


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: each differs, and none is empty or a number."""
    first = rows[0] if rows else []
    named = all(cell and not cell[0].isdigit() for cell in first)
    return len(rows) > 1 and named and len({cell.lower() for cell in first}) == len(first)
