"""A run's limits on time and sizes, and its progress; both are known in threads too."""

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


Tell = Callable[[int, int], None]
"""Takes how many things are done, and how many there are."""


@dataclass
class Bounds:
    """The bounds on one step's work, and what was left undone because of them."""

    max_seconds: float = inf
    """Seconds that the whole run may take."""
    max_sentence: int = 5_000
    """The most characters of a sentence; a longer one counts as several."""
    max_strips: int = 20_000
    """The most strips that are read of all documents together."""
    max_judged: int | None = None
    """The most claims that local code judges at once; the others are unchecked."""
    ends: float = inf
    """When the time is over, by the monotonic clock."""
    notes: dict[str, str] = field(default_factory=dict)
    """What was left undone, in words, each once, in order; by each the beginning that it must not
    share with another note."""
    tell: Tell | None = None
    """Follows the progress of the work."""
    told: tuple[int, int] = (0, 1)
    """How many things were told to be done, and of how many."""

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
    """Apply bounds to all that happens inside the block; `spent` seconds are used already.

    Work in a thread that goes on after the block stops when it next calls `check_time`.
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
    """Raise OutOfTimeError if no time is left."""
    bounds = _OPEN.get()
    if monotonic() > bounds.ends:
        raise _out_of_time(bounds)


@asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Cancel the block when the time is over, and raise OutOfTimeError."""
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

    `about` is how the text begins: if a note of the run begins so already, none is added.
    """
    notes = _NOTES.get({})
    if not about or not any(note.startswith(about) for note in tuple(notes)):
        notes[text] = about or text


def cache_in_bounds(size: int) -> Callable[[Callable[[*A], T]], Callable[[*A], T]]:
    """Cache a function's last `size` results, with the notes of what the bounds left undone.

    The arguments must be hashable; of the bounds, the result may depend only on `max_sentence` and
    `max_strips`.
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


def report_progress(done: int, total: int) -> None:
    """Tell the run's follower, if there is one, how many things are done, and of how many.

    It is not told of fewer things than it knows of in a step, nor of a smaller share of them done.
    """
    bounds = _OPEN.get()
    before, known = bounds.told
    if bounds.tell and total >= known and done * known >= before * total:
        bounds.told = (done, total)
        bounds.tell(done, total)
