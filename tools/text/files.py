"""Reading files: their bytes within a limit, and their text."""

import sys
from importlib.resources.abc import Traversable
from pathlib import Path

from errata.errors import InputError
from errata.tools.text.decoding import decode_text

MAX_BYTES = 200_000_000
"""The most bytes of a file that is read as a whole."""
STDIN, STDIN_NAME = "-", "standard input"


def read_bytes(path: Path | Traversable) -> bytes:
    """The content of a file.

    Raises InputError if it is missing, a folder, or larger than 200 MB.
    """
    try:
        with path.open("rb") as file:
            return _within_limit(file.read(MAX_BYTES + 1), repr(str(path)))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {str(path)!r}: {reason}") from error


def read_text(path: Path | Traversable, encoding: str = "") -> str:
    """The text of a file, without a byte-order mark.

    Raises InputError if the file is missing or holds something other than text.
    """
    return decode_text(read_bytes(path), repr(str(path)), encoding).text


def read_input_bytes(source: str) -> tuple[str, bytes]:
    """What errors call a file, or standard input for `-`, and its content.

    Raises InputError as `read_bytes` does.
    """
    if source == STDIN:
        return STDIN_NAME, _within_limit(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN_NAME)
    return repr(source), read_bytes(Path(source))


def _within_limit(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES // 10**6} MB; split it")
    return data
