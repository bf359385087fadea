"""The input of a batch: rows, read one at a time, and problems for lines that are not rows."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from io import UnsupportedOperation
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TypeVar

from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.core.records import Document
from errata.tools.files.decoding import STDIN, STDIN_NAME
from errata.tools.files.rows import parse_json_row

T = TypeVar("T")
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
    """The number of the line, from 1; 0 where Ray read the rows."""
    error: str
    id: str = ""
    """Its id, where that could be read."""

    def __str__(self) -> str:
        """The problem in words, with its place."""
        line = f", line {self.line}" if self.line else ""
        return f"{self.file}{line}: {self.error}"


@dataclass(frozen=True)
class Source:
    """Rows in a file of JSON lines, or for `-` on standard input."""

    place: str
    corrects: bool = True
    """Whether a draft suffices; else a row needs a question."""
    most: int = MAX_ROW_BYTES

    @property
    def name(self) -> str:
        """The input's name in problems."""
        return STDIN_NAME if self.place == STDIN else self.place

    def read(self) -> Iterator[tuple[int, BatchRow | Problem]]:
        """Every row, or what is wrong with it, with its line's number; one is held at a time.

        Blank lines are left out. Raises InputError if the file cannot be read.
        """
        with self._opened() as file:
            for number, line in bounded_lines(file, self.most):
                if line is None or line.strip():
                    yield number, self._row(number, line)

    def count(self) -> int | None:
        """How many rows there are; None for standard input and other pipes.

        Raises InputError if the file cannot be read.
        """
        path = Path(self.place)
        if self.place == STDIN and sys.stdin is None:
            raise InputError("standard input is closed; give rows on it, or name a file of rows")
        if self.place == STDIN or (path.exists() and not (path.is_file() or path.is_dir())):
            return None
        with self._opened() as file:
            lines = bounded_lines(file, self.most)
            return sum(1 for _, line in lines if line is None or line.strip())

    def _opened(self) -> AbstractContextManager[BinaryIO]:
        """The file, opened to read bytes.

        Standard input gets a separate reader, so that a thread waiting in it blocks no other.
        """
        if self.place == STDIN:
            try:
                return open(sys.stdin.fileno(), "rb", closefd=False)
            except (UnsupportedOperation, ValueError):
                return nullcontext(sys.stdin.buffer)
        try:
            return Path(self.place).open("rb")
        except OSError as error:
            raise InputError(f"cannot read {self.place!r}: {error.strerror or error}") from error

    def _row(self, number: int, line: bytes | None) -> BatchRow | Problem:
        """The row on a line; errors leave out the place, which the Problem names."""
        if line is None:
            fault = f"the row has more than {self.most:,} bytes; split it, or raise --max-row-bytes"
            return Problem(file=self.name, line=number, error=fault)
        try:
            values = parse_json_row((line.removeprefix(_BOM) if number == 1 else line).decode(), "")
        except UnicodeDecodeError as error:
            fault = f"byte {error.start + 1} of the line is not UTF-8; write the file in UTF-8"
        except InputError as error:
            fault = str(error).removeprefix(": ")
        else:
            return read_row(values, self.name, number, corrects=self.corrects)
        return Problem(file=self.name, line=number, error=fault)


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


def bounded_lines(file: BinaryIO, most: int) -> Iterator[tuple[int, bytes | None]]:
    """Each line with its number, from 1; None in place of one of more than `most` bytes."""
    for number in count(1):
        line = file.readline(most + 1)
        if not line:
            return
        fits = len(line) <= most or line.endswith(b"\n")
        part = b"" if fits else line
        while part and not part.endswith(b"\n"):
            part = file.readline(_CHUNK)
        yield number, line if fits else None


def until(stopped: Callable[[], bool], rows: Iterator[T]) -> Iterator[T]:
    """The rows; end early if `stopped` while waiting for the next.

    Raises what reading them raises.
    """
    while True:
        step = in_daemon(partial(next, rows, None))
        while not wait([step], PAUSE).done:
            if stopped():
                return
        row = step.result()
        if row is None:
            return
        yield row


def in_daemon(call: Callable[[], T]) -> Future[T]:
    """A call in a daemon thread, so that an input that never ends does not block the exit."""
    future = Future[T]()
    future.set_running_or_notify_cancel()  # who waits for it may give up, but not cancel it

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001  raised where the result is awaited
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
