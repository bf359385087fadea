"""The input of a batch: rows, read one at a time, and problems for lines that are not rows."""

import sys
from collections.abc import Iterable, Mapping
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


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """One row of a batch: a draft to correct or check, or a question to answer."""

    id: str
    """Unique in the batch; `line 7` where the input gave none."""
    question: str = ""
    draft: str = ""
    documents: tuple[Document, ...] = ()
    """What the row is judged by besides the batch's corpus; nothing in them is fetched."""


class RowError(InputError):
    """What is wrong with a row, without its place; `id` is its id, where that could be read."""

    def __init__(self, fault: str, name: str = "") -> None:
        """Say what is wrong with the row of a name."""
        super().__init__(fault)
        self.id = name


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


def read_line(line: bytes, number: int, *, corrects: bool) -> BatchRow:
    """The row on a line of a file.

    Raises RowError.
    """
    try:
        values = parse_json_row(line.decode("utf-8-sig"), "")
    except UnicodeDecodeError as error:
        fault = f"byte {error.start + 1} of the line is not UTF-8; write the file in UTF-8"
        raise RowError(fault) from error
    except InputError as error:
        raise RowError(str(error).removeprefix(": ")) from error
    return read_row(values, number, corrects=corrects)


def read_row(values: Mapping[str, Any], number: int, *, corrects: bool) -> BatchRow:
    """A row made from its values; the default id is `line 7`.

    Without a number, 0, a row needs an id. Raises RowError.
    """
    name = ""
    try:
        name = _id(values.get("id"), f"line {number}" if number else "")
        known = _known(values, ("question", "draft", "documents"))
        known["documents"] = _documents(known.get("documents", ()))
        row = from_json(BatchRow, {**known, "id": name}, FORM)
    except InputError as error:
        raise RowError(str(error), name) from error
    if row.question.strip() or (corrects and row.draft.strip()):
        return row
    lacks = "neither a draft nor a question" if corrects else "no question to answer"
    raise RowError(f"the row has {lacks}; {FORM}", name)


def _id(value: object, place: str) -> str:
    if place and (value is None or value != value):  # noqa: PLR0124  NaN: an empty cell
        return place
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        fault = f"id must be a text or a number that is not empty; got {value!r:.60}"
        raise InputError(f"{fault}; {FORM}")
    return str(value)


def _known(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The fields of these names; an empty one is as one that is missing."""
    return {name: values[name] for name in names if values.get(name) is not None}


def _documents(values: object) -> object:
    """A row's documents as given: no text in them is taken as a file or address to read."""
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        return values
    texts = ({"text": each} if isinstance(each, str) else each for each in values)
    return [_known(each, _DOCUMENT) if isinstance(each, Mapping) else each for each in texts]
