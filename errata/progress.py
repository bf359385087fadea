"""How far a step of a run is, told to whoever follows the run, from threads too."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Tell = Callable[[int, int], None]
"""Takes how many are done, and of how many."""
_OPEN: ContextVar[Tell | None] = ContextVar("errata.progress", default=None)


@contextmanager
def open_progress(tell: Tell) -> Iterator[None]:
    """Hear of the progress of all that happens inside the block, in tasks and threads too."""
    token = _OPEN.set(tell)
    try:
        yield
    finally:
        _OPEN.reset(token)


def report_progress(done: int, total: int) -> None:
    """Tell whoever follows the run how many of how many things are done."""
    tell = _OPEN.get()
    if tell:
        tell(done, total)
