"""Files: their bytes within a limit, and their text in the encoding that it is in.

That is the declared one, the marked one, UTF-8, or else that of old Western text.
"""

import codecs
import re
import sys
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from errata.core.errors import InputError, SettingError

PDF, DOCX = "a PDF file", "a Word document"
_ZIP = b"PK\x03\x04"
_PARTS = (
    (b"word/document.xml", DOCX),
    (b"xl/workbook.", "an Excel workbook: save it as CSV"),
    (b"ppt/presentation.", "a PowerPoint presentation: save it as PDF"),
    (b"opendocument", "an OpenDocument file: save it as DOCX or PDF"),
    (b"application/epub", "an e-book: convert it to HTML or text"),
)
"""Names of parts that tell what an archive is; others are just archives."""
_SIGNATURES = (
    (b"%PDF-", PDF),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file: save it as DOCX or PDF"),
    (b"{\\rtf", "an RTF file: save it as DOCX or PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF89a", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"),
    (b"\xfd7zXZ", "an xz archive: unpack it"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive: unpack it"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\0", "a SQLite database"),
)
MAX_BYTES = 200_000_000
"""The most bytes of a file that is read as a whole."""
STDIN, STDIN_NAME = "-", "standard input"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OLD = "windows-1252"
"""What a text is taken for that is not UTF-8, if it reads well as such."""
# Accented letters within words, and typographic marks; other signs speak for another encoding.
_WESTERN = re.compile(r"[\x00-\x7f–—‘’‚“”„•…€£§©®°«»¡¿·\xa0À-ÖØ-öø-ÿŠšŽžŒœŸ]*")
_ODD = re.compile(r"(?<=[^\W\d_])[¡¿€£§©®°·](?=[^\W\d_])")
MAX_FOREIGN = 0.35
"""Share of characters beyond ASCII up to which a text may be Western."""
_FOREIGN_RUN = re.compile(r"[^\W\d_a-zA-Z]{4}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\0-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class Decoded:
    """A text and the encoding that it was read in."""

    text: str
    encoding: str
    assumed: bool = False
    """Whether the encoding is a guess: nothing declares it, and it is not UTF-8."""

    def note(self, name: str) -> str:
        """What to say of a guess about the text called `name`; empty if there was none."""
        guess = f"{name} is not UTF-8 and was read as {self.encoding}; --encoding NAME says another"
        return guess if self.assumed else ""


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


def decode_text(data: bytes, name: str, encoding: str = "") -> Decoded:
    """The text in some bytes; `name` is what errors call it, `encoding` what is known of it.

    Raises SettingError if no encoding has that name, and InputError if the bytes are no text.
    """
    if what := describe_binary(data):
        raise InputError(f"{name} is {what}; give a text")
    if encoding:
        decoded = Decoded(_decode_as(data, name, encoding), encoding)
    else:
        decoded = _decode_marked(data) or _decode_unmarked(data, name)
    if "\0" in decoded.text:
        raise InputError(f"{name} looks binary: it holds zero bytes; give a text")
    return decoded


def describe_binary(data: bytes) -> str:
    """What a file is that is no text, in words, and what to do about it; empty if it may be text.

    Nothing is unpacked: in an archive, the names of its parts stand uncompressed.
    """
    if data.startswith(_ZIP):
        return next((what for part, what in _PARTS if part in data), "a ZIP archive: unpack it")
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((what for sign, what in _SIGNATURES if start.startswith(sign)), "")


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no encoding can hold."""
    return _SURROGATES.sub("\ufffd", text)


def _decode_as(data: bytes, name: str, encoding: str) -> str:
    try:
        return data.decode("utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding)
    except LookupError as error:
        raise SettingError(
            f"no encoding is called {encoding!r}; there are utf-8, utf-16, windows-1252, "
            "iso-8859-2, shift_jis and others that Python knows"
        ) from error
    except UnicodeError as error:
        raise InputError(f"{name} is not {encoding}: {_place(error)}") from error


def _decode_marked(data: bytes) -> Decoded | None:
    """The text by its byte-order mark, or by UTF-16's zero bytes in every other place."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    start = data[:4096]
    even, odd = start[::2].count(0), start[1::2].count(0)
    is_wide = max(even, odd) * 3 >= len(start[::2]) and not min(even, odd)
    if not encoding and len(start) > 3 and is_wide:  # noqa: PLR2004
        encoding = "utf-16-be" if even else "utf-16-le"
    try:
        return Decoded(data.decode(encoding), encoding) if encoding else None
    except UnicodeError:
        return None


def _decode_unmarked(data: bytes, name: str) -> Decoded:
    """The text as UTF-8, or else as old Western text if it reads well as such."""
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError as error:
        text = data.decode(OLD, errors="replace")
        foreign = len(text) - len(text.encode("ascii", errors="ignore"))
        odd = any(sign.search(text) for sign in (_ODD, _FOREIGN_RUN, _CONTROLS))
        if foreign <= MAX_FOREIGN * len(text) and _WESTERN.fullmatch(text) and not odd:
            return Decoded(text, OLD, assumed=True)
        raise InputError(
            f"{name} is not UTF-8 text ({_place(error)}); give a text, or say its encoding with "
            "--encoding NAME, such as utf-16, iso-8859-2 or shift_jis"
        ) from error


def _place(error: UnicodeError) -> str:
    if isinstance(error, UnicodeDecodeError) and error.start < len(error.object):
        return f"byte {error.start} is {error.object[error.start]:#04x}"
    return str(error)
