"""Rows that may keep one waiting for ever, and a batch that is to stop meanwhile."""

from collections.abc import Callable, Iterator
from queue import Empty, Queue
from threading import Thread
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
PAUSE = 0.2
"""Seconds after which it is looked again whether to stop."""


def until(stopped: Callable[[], bool], rows: Iterator[T]) -> Iterator[T]:
    """The rows, read one ahead in a thread, until `stopped` while the next is not there yet.

    Raises whatever reading them raises.
    """
    read = Queue[Callable[[], T]](1)
    Thread(target=_read_into, args=(read, rows), daemon=True).start()
    while True:
        try:
            take = read.get(timeout=PAUSE)
        except Empty:
            if stopped():
                return
            continue
        try:
            row = take()
        except StopIteration:
            return
        yield row


def _read_into(read: Queue[Callable[[], T]], rows: Iterator[T]) -> None:
    """Put each row, and at last what ended them, where `until` takes it from."""
    while True:
        try:
            row = next(rows)
        except BaseException as error:  # noqa: BLE001  whoever takes the next row raises it
            read.put(_raising(error))
            return
        read.put(_giving(row))


def _giving(row: T) -> Callable[[], T]:
    return lambda: row


def _raising(error: BaseException) -> Callable[[], Any]:
    def take() -> NoReturn:
        raise error

    return take
