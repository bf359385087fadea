"""Rows: of JSON documents and JSON lines, and of tables, which can be told in sentences."""

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from errata.core.errors import InputError
from errata.tools.files.decoding import without_surrogates

TEXT_FIELDS = ("text", "page_content", "content")
"""Where an object may have its text, the first that it has."""
Row = tuple[str, object]
"""Where a row stands, in words for errors, and its value."""
DELIMITERS = ",;\t|"
FEWEST_ROWS, LONGEST_ROW, LONGEST_CELL = 3, 500, 8
"""A text without a file name is a table if it has so many rows, none longer in characters, and no
cell longer in words."""
SAMPLE = 20
"""Rows that the delimiter is told by."""


def parse_json(text: str, where: str) -> Any:
    """The JSON value in a text; `where` names the text in errors.

    Lone surrogates become U+FFFD. Raises InputError if it is no JSON.
    """
    try:
        return _clean(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column" if error.lineno > 1 else "column"
        raise InputError(f"{where}: not JSON: {error.msg} at {place} {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: JSON that cannot be read: {error}") from error


def parse_json_row(line: str, where: str) -> dict[str, object]:
    """The JSON object on one line; `where` names the line in errors.

    Raises InputError if the line is not JSON or not an object.
    """
    row = parse_json(line, where)
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a JSON object, got {type(row).__name__}")
    return row


def number_lines(text: str, name: str) -> Iterator[tuple[str, str]]:
    """The lines that hold anything, each with its place; only a line feed ends a line of JSON."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{name}, line {number}", line


def read_rows(text: str, name: str, *, lines: bool = False) -> Iterator[Row]:
    """The rows of a JSON list, of one JSON object, or of JSON lines, each with its place.

    `lines` says that JSON lines are expected, for errors. Raises InputError if it is no JSON.
    """
    try:
        value = parse_json(text, name)
    except InputError:
        _, first = next(number_lines(text, name), ("", ""))
        if not first or not (lines or _parses(first)):
            raise
        yield from ((where, parse_json(line, where)) for where, line in number_lines(text, name))
        return
    values = value if isinstance(value, list) else [value]
    for number, each in enumerate(values, start=1):
        yield (f"{name}, item {number}" if value is values else name), each


def holds_rows(text: str) -> bool:
    """Whether a text, whatever its name, is JSON with a text in its first row."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        _, first = next(read_rows(text, ""))
    except (InputError, StopIteration):
        return False
    return isinstance(first, dict) and any(field in first for field in TEXT_FIELDS)


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {without_surrogates(name): _clean(each) for name, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list) else value


def read_table(text: str, name: str) -> list[list[str]]:
    """The rows of a CSV text whatever its delimiter, without empty ones; `name` is for errors.

    Raises InputError if it cannot be read.
    """
    head = "\n".join(text.split("\n", SAMPLE)[:SAMPLE])
    try:
        delimiter = max(DELIMITERS, key=lambda each: _agreement(head, each))
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        return [cells for row in rows if any(cells := [" ".join(cell.split()) for cell in row])]
    except csv.Error as error:
        raise InputError(f"{name} is not a readable CSV file: {error}") from error


def _agreement(head: str, delimiter: str) -> tuple[int, int]:
    """How many rows have as many cells as the first, if it has several, and how many these are."""
    widths = [len(row) for row in csv.reader(StringIO(head, newline=""), delimiter=delimiter)]
    width = widths[0] if widths else 0
    return (widths.count(width), width) if width > 1 else (0, 0)


def describe_if_table(text: str) -> str:
    r"""A text that is a CSV table with a header as `describe_rows` has it; any other as it is.

    >>> describe_if_table("year,sales\n2020,40\n2021,55")
    'year: 2020; sales: 40.\n\nyear: 2021; sales: 55.'
    """
    lines = text.strip().splitlines()
    if len(lines) < FEWEST_ROWS or any(len(line) > LONGEST_ROW for line in lines):
        return text
    try:
        rows = read_table(text, "a document")
    except InputError:
        return text
    widths = {len(row) for row in rows}
    longest = max((len(cell.split()) for row in rows for cell in row), default=0)
    is_table = len(widths) == 1 and widths != {1} and has_header(rows)
    return describe_rows(rows) if is_table and longest <= LONGEST_CELL else text


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: each differs, and none is empty or a number."""
    first = rows[0] if rows else []
    named = all(cell and not cell[0].isdigit() for cell in first)
    return len(rows) > 1 and named and len({cell.lower() for cell in first}) == len(first)


def describe_rows(rows: Sequence[Sequence[str]]) -> str:
    """A table as text: `name: value; name: value.`, a paragraph a row; values alone, unnamed."""
    header, body = (rows[0], rows[1:]) if has_header(rows) else ((), rows)
    lines = []
    for row in body:
        names = [*header, *[""] * (len(row) - len(header))]
        pairs = zip(names, row, strict=False)
        line = "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
        lines.append(line if line.endswith((".", "!", "?")) else f"{line}.")
    return "\n\n".join(lines)
