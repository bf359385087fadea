"""JSON documents and JSON lines, read into rows: texts, or objects that have a text."""

import json
from collections.abc import Iterator
from typing import Any

from errata.core.errors import InputError
from errata.tools.text.files import without_surrogates

TEXT_FIELDS = ("text", "page_content", "content")
"""Where an object may have its text, the first that it has."""
Row = tuple[str, object]
"""Where a row stands, in words for errors, and its value."""


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
        for where, line in number_lines(text, name):
            yield where, parse_json(line, where)
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
