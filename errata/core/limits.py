"""What a run's work may take, in seconds and sizes, and how far it is; in threads too."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from math import inf
from time import monotonic
from typing import TypeVar, TypeVarTuple

from errata.core.errors import OutOfTimeError

A = TypeVarTuple("A")
T = TypeVar("T")


@dataclass
class Bounds:
    """The bounds on one step's work, and what was left undone because of them."""

    max_seconds: float = inf
    """Seconds that the whole run may take."""
    max_sentence: int = 5_000
    """The most characters of a sentence; a longer one counts as several."""
    max_strips: int = 20_000
    """The most strips that are read of all documents together."""
    ends: float = inf
    """When the time is over, by the monotonic clock."""
    notes: dict[str, str] = field(default_factory=dict)
    """In words, what was left undone, each once, in order; and the words that make it the same as
    another note if that begins with them."""

    @property
    def seconds_left(self) -> float:
        """Seconds until the time is over; at least 0."""
        return max(0.0, self.ends - monotonic())


_OUTSIDE = Bounds()
"""The bounds outside a run: none on time."""
_OPEN: ContextVar[Bounds] = ContextVar("errata.core.limits", default=_OUTSIDE)
_NOTES: ContextVar[dict[str, str]] = ContextVar("errata.core.limits.notes")


@contextmanager
def open_bounds(bounds: Bounds, spent: float = 0.0) -> Iterator[Bounds]:
    """Bound all that happens inside the block, of whose time some seconds are spent.

    Work that is left behind in a thread, since nobody waits for it any more, stops when it asks
    for the time the next time.
    """
    bounds.ends = monotonic() + bounds.max_seconds - spent
    tokens = _OPEN.set(bounds), _NOTES.set(bounds.notes)
    try:
        yield bounds
    finally:
        bounds.ends = -inf
        _OPEN.reset(tokens[0])
        _NOTES.reset(tokens[1])


def current_bounds() -> Bounds:
    """The bounds that are open here."""
    return _OPEN.get()


def check_time() -> None:
    """Go on only if there is time left.

    Raises OutOfTimeError.
    """
    bounds = _OPEN.get()
    if monotonic() > bounds.ends:
        raise _out_of_time(bounds)


@asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Wait for what happens inside the block only as long as there is time left.

    Raises OutOfTimeError.
    """
    bounds = _OPEN.get()
    check_time()
    limit = asyncio.timeout(None if bounds.ends == inf else bounds.seconds_left)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if limit.expired():
            raise _out_of_time(bounds) from error
        raise


def note_undone(text: str, about: str = "") -> None:
    """Note what the bounds left undone; outside a run nobody reads it.

    With `about`, how the text begins, only if no note of the run begins so.
    """
    notes = _NOTES.get({})
    if not about or not any(note.startswith(about) for note in tuple(notes)):
        notes[text] = about or text


def cache_in_bounds(size: int) -> Callable[[Callable[[*A], T]], Callable[[*A], T]]:
    """Remember a function's last results, each with what the bounds left undone in it.

    The arguments must be hashable; of the bounds the result may depend on those of texts alone,
    `max_sentence` and `max_strips`.
    """

    def decorate(compute: Callable[[*A], T]) -> Callable[[*A], T]:
        @lru_cache(maxsize=size)
        def remembered(_: tuple[int, int], *args: *A) -> tuple[T, Iterable[str]]:
            notes = dict[str, str]()
            token = _NOTES.set(notes)
            try:
                return compute(*args), notes
            finally:
                _NOTES.reset(token)

        @wraps(compute)
        def call(*args: *A) -> T:
            bounds = _OPEN.get()
            result, notes = remembered((bounds.max_sentence, bounds.max_strips), *args)
            for note in notes:
                note_undone(note)
            return result

        return call

    return decorate


def _out_of_time(bounds: Bounds) -> OutOfTimeError:
    return OutOfTimeError(f"the run's time is over (max_seconds={bounds.max_seconds:g})")


Tell = Callable[[int, int], None]
"""Takes how many are done, and of how many."""
_FOLLOWER: ContextVar[Tell | None] = ContextVar("errata.core.limits", default=None)


@contextmanager
def open_progress(tell: Tell) -> Iterator[None]:
    """Hear of the progress of all that happens inside the block, in tasks and threads too."""
    token = _FOLLOWER.set(tell)
    try:
        yield
    finally:
        _FOLLOWER.reset(token)


def report_progress(done: int, total: int) -> None:
    """Tell whoever follows the run how many of how many things are done."""
    tell = _FOLLOWER.get()
    if tell:
        tell(done, total)
