"""The input of a batch: rows, read one at a time, and problems for lines that are not rows."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.core.records import Document
from errata.tools.files.decoding import STDIN, read_input_bytes
from errata.tools.files.rows import parse_json_row

FORM = "a row is {id, question, draft?, documents?: [texts or {text, title, url, id}]}"
_DOCUMENT = ("text", "title", "url", "id")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """One row of a batch: a draft to correct or check, or a question to answer."""

    id: str
    """Unique in the batch; `line 7` where the input gave none."""
    question: str = ""
    draft: str = ""
    documents: tuple[Document, ...] = ()
    """What the row is judged by besides the batch's corpus; nothing in them is fetched."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A line of the input that is no row."""

    file: str
    line: int
    """The number of the line, from 1; 0 where Ray read the rows."""
    error: str
    id: str = ""
    """Its id, where that could be read."""

    def __str__(self) -> str:
        """The problem in words, with its place."""
        line = f", line {self.line}" if self.line else ""
        return f"{self.file}{line}: {self.error}"


def open_rows(place: str) -> BinaryIO:
    """A file of rows, opened to read bytes; for `-` standard input, which is read to its end.

    Raises InputError if it cannot be read.
    """
    if place == STDIN and sys.stdin is None:
        raise InputError("standard input is closed; give rows on it, or name a file of rows")
    if place == STDIN:
        return BytesIO(read_input_bytes(STDIN)[1])
    try:
        return Path(place).open("rb")
    except OSError as error:
        raise InputError(f"cannot read {place!r}: {error.strerror or error}") from error


def read_rows(
    file: BinaryIO, name: str, *, corrects: bool
) -> Iterator[tuple[int, BatchRow | Problem]]:
    """Every row, or what is wrong with it, with its line's number; blank lines are left out."""
    for number, line in enumerate(file, start=1):
        if line.strip():
            own = line.removeprefix(_BOM) if number == 1 else line
            yield number, _row(own, name, number, corrects=corrects)


def _row(line: bytes, name: str, number: int, *, corrects: bool) -> BatchRow | Problem:
    """The row on a line; errors leave out the place, which the Problem names."""
    try:
        values = parse_json_row(line.decode(), "")
    except UnicodeDecodeError as error:
        fault = f"byte {error.start + 1} of the line is not UTF-8; write the file in UTF-8"
    except InputError as error:
        fault = str(error).removeprefix(": ")
    else:
        return read_row(values, name, number, corrects=corrects)
    return Problem(file=name, line=number, error=fault)


def read_row(
    values: Mapping[str, Any], file: str, number: int, *, corrects: bool
) -> BatchRow | Problem:
    """A row made from its values, or what is wrong with them; the default id is `line 7`.

    Without a number, 0, a row needs an id.
    """
    name = ""
    try:
        name = _id(values.get("id"), f"line {number}" if number else "")
        question, draft = _text(values, "question"), _text(values, "draft")
        documents = tuple(_documents(values.get("documents")))
    except InputError as error:
        fault = str(error)
    else:
        if question.strip() or (corrects and draft.strip()):
            return BatchRow(id=name, question=question, draft=draft, documents=documents)
        fault = "the row has no question to answer"
        fault = "the row has neither a draft nor a question" if corrects else fault
    return Problem(file=file, line=number, id=name, error=f"{fault}; {FORM}")


def _id(value: object, place: str) -> str:
    if place and (value is None or value != value):  # noqa: PLR0124  NaN: an empty cell
        return place
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise InputError(f"id must be a text or a number that is not empty; got {value!r:.60}")
    return str(value)


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} must be a text; got {type(value).__name__}")
    return value or ""


def _documents(values: object) -> Iterator[Document]:
    """A row's documents as given: no text in them is taken as a file or address to read."""
    if not isinstance(values, Iterable | None) or isinstance(values, str | Mapping):
        raise InputError(f"documents must be a list; got {type(values).__name__}")
    for number, value in enumerate(() if values is None else values, start=1):
        if isinstance(value, str):
            yield Document(text=value)
        elif isinstance(value, Mapping):
            known = {name: value[name] for name in _DOCUMENT if value.get(name) is not None}
            yield from_json(Document, known)
        else:
            kind = type(value).__name__
            raise InputError(f"document {number} must be a text or an object; got {kind}")
