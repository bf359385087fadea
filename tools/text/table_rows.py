"""Tables as sentences: one line a row, which says the name of each column with its value."""

import csv
from collections.abc import Sequence
from io import StringIO

from errata.core.errors import InputError

DELIMITERS = ",;\t|"
FEWEST_ROWS, LONGEST_ROW, LONGEST_CELL = 3, 500, 8
"""A text without a file name is a table if it has so many rows, none longer in characters, and no
cell longer in words."""
SAMPLE = 20
"""Rows that the delimiter is told by."""


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
    cells = [cell for row in rows for cell in row]
    is_table = len(widths) == 1 and widths != {1} and has_header(rows)
    return describe_rows(rows) if is_table and max(map(_words, cells)) <= LONGEST_CELL else text


def _words(cell: str) -> int:
    return len(cell.split())


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: each differs, and none is empty or a number."""
    first = rows[0] if rows else []
    named = all(cell and not cell[0].isdigit() for cell in first)
    return len(rows) > 1 and named and len({cell.lower() for cell in first}) == len(first)


def describe_rows(rows: Sequence[Sequence[str]]) -> str:
    """A table as text: `name: value; name: value.`, a paragraph a row; values alone, unnamed."""
    header, body = (rows[0], rows[1:]) if has_header(rows) else ((), rows)
    return "\n\n".join(_describe_row(header, row) for row in body)


def _describe_row(header: Sequence[str], row: Sequence[str]) -> str:
    names = [*header, *[""] * (len(row) - len(header))]
    cells = [f"{name}: {cell}" if name else cell for name, cell in zip(names, row) if cell]  # noqa: B905
    line = "; ".join(cells)
    return line if line.endswith((".", "!", "?")) else f"{line}."
