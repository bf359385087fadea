"""Files: their bytes within a limit, and their text: UTF-8, as marked, or as somebody says."""

import codecs
import re
import sys
from importlib.resources.abc import Traversable
from pathlib import Path

from errata.core.errors import InputError, SettingError

PDF, DOCX = "a PDF file", "a Word document"
_ZIP, _WORD_PART = b"PK\x03\x04", b"word/document.xml"
_SIGNATURES = (
    (b"%PDF-", PDF),
    (_ZIP, "a ZIP archive or an Office file: unpack it, or save it as DOCX, PDF or CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file: save it as DOCX or PDF"),
    (b"{\\rtf", "an RTF file: save it as DOCX or PDF"),
)
MAX_BYTES = 200_000_000
"""The most bytes of a file that is read as a whole."""
STDIN, STDIN_NAME = "-", "standard input"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SURROGATES = re.compile("[\ud800-\udfff]")


def read_bytes(path: Path | Traversable) -> bytes:
    """The content of a file; raises InputError if it is missing, a folder, or over 200 MB."""
    try:
        with path.open("rb") as file:
            return _within_limit(file.read(MAX_BYTES + 1), repr(str(path)))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {str(path)!r}: {reason}") from error


def read_text(path: Path | Traversable) -> str:
    """The text of a file, without a byte-order mark; raises InputError if it holds none."""
    return decode_text(read_bytes(path), repr(str(path)))


def read_input_bytes(source: str) -> tuple[str, bytes]:
    """What errors call a file, or standard input for `-`, and its content."""
    if source == STDIN:
        return STDIN_NAME, _within_limit(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN_NAME)
    return repr(source), read_bytes(Path(source))


def _within_limit(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES // 10**6} MB; split it")
    return data


def decode_text(data: bytes, name: str, encoding: str = "") -> str:
    """The text in some bytes; `name` is what errors call it, `encoding` what is known of it.

    Raises SettingError if no encoding has that name, and InputError if the bytes are no text.
    """
    if what := describe_binary(data):
        raise InputError(f"{name} is {what}; give a text")
    marked = (each for mark, each in _MARKS if data.startswith(mark))
    encoding = encoding or next(marked, "utf-8")
    try:
        utf_8 = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
        text = data.decode(utf_8)
    except LookupError as error:
        raise SettingError(
            f"no encoding is called {encoding!r}; there are utf-8, utf-16, windows-1252, "
            "iso-8859-2, shift_jis and others that Python knows"
        ) from error
    except UnicodeError as error:
        raise InputError(
            f"{name} is not {encoding.upper()} text ({error}); give a text, or say its encoding "
            "with --set encoding=NAME, such as windows-1252, utf-16 or shift_jis"
        ) from error
    if "\0" in text:
        raise InputError(f"{name} looks binary: it holds zero bytes; give a text")
    return text


def describe_binary(data: bytes) -> str:
    """What a file is that is no text, and what to do about it; empty if it may be text."""
    if data.startswith(_ZIP) and _WORD_PART in data:  # names of parts are not packed
        return DOCX
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((what for sign, what in _SIGNATURES if start.startswith(sign)), "")


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no encoding can hold."""
    return _SURROGATES.sub("\ufffd", text)
