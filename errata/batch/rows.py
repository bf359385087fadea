"""The input of a batch: rows, read one at a time, and problems for lines that are not rows."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import UnsupportedOperation
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, BinaryIO, Protocol, TypeVar

from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.core.records import Document
from errata.tools.files.decoding import STDIN, STDIN_NAME
from errata.tools.files.rows import parse_json_row

T = TypeVar("T")
ID, ERROR = "id", "error"
MAX_ROW_BYTES = 10_000_000
"""The most bytes in a row by default."""
FORM = "a row is {id, question, draft?, documents?: [texts or {text, title, url, id}]}"
_DOCUMENT = ("text", "title", "url", "id")
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 16
PAUSE = 0.2
"""Seconds between checks whether to stop."""


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
    """The number of the line, or of the row in a Parquet file, from 1."""
    error: str
    id: str = ""
    """Its id, where that could be read."""

    def __str__(self) -> str:
        """The problem in words, with its place."""
        return f"{self.file}, line {self.line}: {self.error}"


class Source(Protocol):
    """Where a batch's rows come from."""

    @property
    def name(self) -> str:
        """The input's name in problems."""

    def read(self) -> Iterator[tuple[int, BatchRow | Problem]]:
        """Every row, or what is wrong with it, with its number; only one is held at a time."""

    def count(self) -> int | None:
        """How many rows there are; None if that is unknown before the end."""


@dataclass(frozen=True)
class JsonLines:
    """Rows as JSON lines in a file, or on standard input for `-`."""

    place: str
    corrects: bool = True
    """Whether a draft suffices; else a row needs a question."""
    most: int = MAX_ROW_BYTES

    def read(self) -> Iterator[tuple[int, BatchRow | Problem]]:
        """Every row, or what is wrong with it, with its line number; blank lines are left out.

        Raises InputError if the file cannot be read.
        """
        with _opened(self.place) as file:
            for number, line in bounded_lines(file, self.most):
                if line is None or line.strip():
                    yield number, self._row(line, number)

    def count(self) -> int | None:
        """The number of lines that are not blank; None for standard input and other pipes.

        Raises InputError if the file cannot be read.
        """
        if self.place == STDIN or _is_stream(Path(self.place)):
            _check_stdin(self.place)
            return None
        with _opened(self.place) as file:
            lines = bounded_lines(file, self.most)
            return sum(1 for _, line in lines if line is None or line.strip())

    @property
    def name(self) -> str:
        """The input's name in problems."""
        return STDIN_NAME if self.place == STDIN else self.place

    def _row(self, line: bytes | None, number: int) -> BatchRow | Problem:
        try:
            values = self._values(line, number)
        except InputError as error:
            return Problem(file=self.name, line=number, error=str(error))
        return read_row(values, self.name, number, corrects=self.corrects)

    def _values(self, line: bytes | None, number: int) -> Mapping[str, Any]:
        if line is None:
            raise too_long(self.most)
        try:
            text = (line.removeprefix(_BOM) if number == 1 else line).decode()
        except UnicodeDecodeError as error:
            fault = f"byte {error.start + 1} of the line is not UTF-8; write the file in UTF-8"
            raise InputError(fault) from error
        return _unplaced_row(text)


def too_long(most: int) -> InputError:
    """The error for a row of more than `most` bytes."""
    return InputError(f"the row has more than {most:,} bytes; split it, or raise --max-row-bytes")


def _unplaced_row(text: str) -> Mapping[str, Any]:
    """The JSON object of a line; errors leave out the place, which the Problem names."""
    try:
        return parse_json_row(text, "")
    except InputError as error:
        raise InputError(str(error).removeprefix(": ")) from error


def read_row(
    values: Mapping[str, Any], file: str, number: int, *, corrects: bool, unit: str = "line"
) -> BatchRow | Problem:
    """A row made from its values, or what is wrong with them; the default id is `line 7`."""
    name = ""
    try:
        name = _id(values.get(ID), f"{unit} {number}")
        row = BatchRow(
            id=name,
            question=_text(values, "question"),
            draft=_text(values, "draft"),
            documents=tuple(_documents(values.get("documents"))),
        )
        _check_asks(row, corrects=corrects)
    except InputError as error:
        return Problem(file=file, line=number, id=name, error=f"{error}; {FORM}")
    return row


def _id(value: object, place: str) -> str:
    if value is None or value != value:  # noqa: PLR0124  NaN: an empty cell of a table
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
    for number, value in enumerate(values or (), start=1):
        if isinstance(value, str):
            yield Document(text=value)
        elif isinstance(value, Mapping):
            known = {name: value[name] for name in _DOCUMENT if value.get(name) is not None}
            yield from_json(Document, known)
        else:
            kind = type(value).__name__
            raise InputError(f"document {number} must be a text or an object; got {kind}")


def _check_asks(row: BatchRow, *, corrects: bool) -> None:
    if corrects and not (row.draft.strip() or row.question.strip()):
        raise InputError("the row has neither a draft nor a question")
    if not corrects and not row.question.strip():
        raise InputError("the row has no question to answer")


def _opened(place: str) -> AbstractContextManager[BinaryIO]:
    """A file, or standard input for `-`, opened to read bytes.

    Raises InputError if it cannot be opened.
    """
    _check_stdin(place)
    try:
        return _stdin() if place == STDIN else Path(place).open("rb")
    except OSError as error:
        raise InputError(f"cannot read {place!r}: {error.strerror or error}") from error


def _is_stream(path: Path) -> bool:
    """Whether a path exists and is neither a file nor a folder: a pipe or a device."""
    return path.exists() and not (path.is_file() or path.is_dir())


def _check_stdin(place: str) -> None:
    """Raise InputError if rows are to come from a standard input that is closed."""
    if place == STDIN and sys.stdin is None:
        raise InputError("standard input is closed; give rows on it, or name a file of rows")


def _stdin() -> AbstractContextManager[BinaryIO]:
    """Standard input through a separate reader, so that a thread waiting in it blocks no other."""
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except (UnsupportedOperation, ValueError):
        return nullcontext(sys.stdin.buffer)


def bounded_lines(file: BinaryIO, most: int) -> Iterator[tuple[int, bytes | None]]:
    """Each line with its number, from 1; None in place of one of more than `most` bytes."""
    for number in count(1):
        line = file.readline(most + 1)
        if not line:
            return
        fits = len(line) <= most or line.endswith(b"\n")
        if not fits:
            _skip_line(file)
        yield number, line if fits else None


def _skip_line(file: BinaryIO) -> None:
    while (part := file.readline(_CHUNK)) and not part.endswith(b"\n"):
        pass


def until(stopped: Callable[[], bool], rows: Iterator[T]) -> Iterator[T]:
    """The rows, read one ahead in a thread; end early if `stopped` while waiting for the next.

    Raises what reading them raises.
    """
    read = Queue[Future[T]](1)
    Thread(target=_read_into, args=(read, rows), daemon=True).start()
    while True:
        try:
            step = read.get(timeout=PAUSE)
        except Empty:
            if stopped():
                return
            continue
        try:
            row = step.result()
        except StopIteration:
            return
        yield row


def _read_into(read: Queue[Future[T]], rows: Iterator[T]) -> None:
    """Put each row, and last the exception that ended them, into the queue that `until` reads."""
    ended = False
    while not ended:
        step = Future[T]()
        try:
            step.set_result(next(rows))
        except BaseException as error:  # noqa: BLE001  raised by `until`
            step.set_exception(error)
            ended = True
        read.put(step)
