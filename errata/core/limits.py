"""The record of a run: its limits, what it spent, noted and asked; known in its threads too."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from math import inf
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from errata.core.errors import OutOfTimeError
from errata.core.records import Usage

if TYPE_CHECKING:
    from errata.core.budgets import Budget

A = TypeVarTuple("A")
T = TypeVar("T")

Tell = Callable[[int, int], None]
"""Takes how many things are done, and how many there are."""
_LOCK = Lock()


@dataclass
class Run:
    """One step's part of a run, to which its tasks and threads add at once."""

    max_seconds: float = inf
    max_judged: int | None = None
    """The most claims that local code judges at once; the others are unchecked."""
    tell: Tell | None = None
    spent_seconds: float = 0.0
    samples: dict[str, int] = field(default_factory=dict)
    """How many replies to equal requests the run asked for, by what they are kept under."""
    budgets: "tuple[Budget, ...]" = ()
    ends: float = inf
    """When the time is over, by the monotonic clock."""
    progress: tuple[int, int] = (0, 1)
    """How many things were told to be done, and of how many."""
    notes: dict[str, str] = field(default_factory=dict)
    """In words, what went wrong or was left undone, in order; by each the beginning that it must
    not share with another note of the run."""
    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)

    @property
    def seconds_left(self) -> float:
        """Seconds until the time is over; at least 0."""
        return max(0.0, self.ends - monotonic())

    def spend(self, usage: Usage, prompts: Mapping[str, str] | None = None) -> None:
        """Add to what was spent and sent."""
        with _LOCK:
            self.usage += usage
            self.prompts |= prompts or {}

    def next_sample(self, key: str, wanted: int) -> int:
        """The number of the wanted reply to equal requests, or of the next that nobody had."""
        with _LOCK:
            number = max(wanted, self.samples.get(key, 0))
            self.samples[key] = number + 1
        return number


_OPEN: ContextVar[Run | None] = ContextVar("errata.run", default=None)


@contextmanager
def open_run(run: Run) -> Iterator[Run]:
    """Record what happens inside the block, also in budgets around it; threads end with it."""
    run.ends = monotonic() + run.max_seconds - run.spent_seconds
    run.budgets = tuple(dict.fromkeys((*current_run().budgets, *run.budgets)))
    try:
        with using_run(run):
            yield run
    finally:
        run.ends = -inf


@contextmanager
def using_run(run: Run) -> Iterator[None]:
    """Have a record open inside the block, as it is."""
    token = _OPEN.set(run)
    try:
        yield
    finally:
        _OPEN.reset(token)


def current_run() -> Run:
    """The record that is open here; outside a run an empty one, which nobody reads."""
    return _OPEN.get() or Run()


def check_time() -> None:
    """Raise OutOfTimeError if no time is left."""
    run = _OPEN.get()
    if run and monotonic() > run.ends:
        raise _out_of_time(run)


@asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Cancel the block when the time is over, and raise OutOfTimeError."""
    run = current_run()
    check_time()
    limit = asyncio.timeout(None if run.ends == inf else run.seconds_left)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if limit.expired():
            raise _out_of_time(run) from error
        raise


def note_undone(text: str, about: str = "") -> None:
    """Note what was left undone, once in a run; outside one nobody reads it.

    `about` is how the text begins: if a note of the run begins so already, none is added.
    """
    notes = current_run().notes
    if not about or not any(note.startswith(about) for note in tuple(notes)):
        notes[text] = about or text


def cache_in_bounds(size: int) -> Callable[[Callable[[*A], T]], Callable[[*A], T]]:
    """Cache a function's last `size` results, with the notes of what it left undone.

    The arguments must be hashable; the result may not depend on the run.
    """

    def decorate(compute: Callable[[*A], T]) -> Callable[[*A], T]:
        @lru_cache(maxsize=size)
        def remembered(*args: *A) -> tuple[T, dict[str, str]]:
            own = replace(current_run(), notes={})
            with using_run(own):
                return compute(*args), own.notes

        @wraps(compute)
        def call(*args: *A) -> T:
            result, notes = remembered(*args)
            for note in notes:
                note_undone(note)
            return result

        return call

    return decorate


def _out_of_time(run: Run) -> OutOfTimeError:
    return OutOfTimeError(f"the run's time is over (max_seconds={run.max_seconds:g})")


def report_progress(done: int, total: int) -> None:
    """Tell the run's follower how far it is, unless he knows of more, or of a larger share."""
    run = current_run()
    before, known = run.progress
    if run.tell and total >= known and done * known >= before * total:
        run.progress = (done, total)
        run.tell(done, total)
