"""Reading text files and JSON rows."""

import json
from importlib.resources.abc import Traversable
from pathlib import Path

from errata.errors import InputError


def read_text(path: Path | Traversable) -> str:
    """The text of a UTF-8 file, without a byte-order mark.

    Raises InputError if the file is missing or holds something other than text.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{str(path)!r} is not UTF-8 text (byte {error.start} is {data[error.start]:#04x}); "
            "give a text, Markdown or JSON-lines file"
        ) from error
    if "\0" in text:
        raise InputError(f"{str(path)!r} looks binary: it holds zero bytes; give a text file")
    return text


def parse_json_row(line: str, where: str) -> dict[str, object]:
    """The JSON object on one line; `where` names the line in errors.

    Raises InputError if the line is not JSON or not an object.
    """
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not JSON: {error.msg} at column {error.colno}") from error
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a JSON object, got {type(row).__name__}")
    return row
