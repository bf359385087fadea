"""What a step spends, sends and notes, added up wherever in the step that happens."""

from asyncio import to_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from errata.core.errors import BudgetError, OutOfTimeError
from errata.core.limits import note_undone
from errata.core.records import Usage

T = TypeVar("T")


@dataclass
class Ledger:
    """One step's bill and notes, added to by the tasks and threads of the step at once."""

    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The digest of each template that was sent, by its name."""
    notes: list[str] = field(default_factory=list)
    """In words, what went wrong or was skipped."""
    changing: Lock = field(default_factory=Lock, repr=False, compare=False)


_OPEN: ContextVar[Ledger | None] = ContextVar("errata.ledger", default=None)


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    """A ledger for all that happens inside the block, in tasks and threads it starts too."""
    ledger = Ledger()
    token = _OPEN.set(ledger)
    try:
        yield ledger
    finally:
        _OPEN.reset(token)


def spend(usage: Usage, prompts: dict[str, str] | None = None) -> None:
    """Add to the open ledger's bill; outside a step nobody counts."""
    if ledger := _OPEN.get():
        with ledger.changing:
            ledger.usage += usage
            ledger.prompts |= prompts or {}


def note(*texts: str) -> None:
    """Add notes to the open ledger; outside a step nobody reads them."""
    if ledger := _OPEN.get():
        with ledger.changing:
            ledger.notes += texts


def note_once(text: str) -> None:
    """Add a note that the open ledger does not hold yet."""
    if ledger := _OPEN.get():
        with ledger.changing:
            ledger.notes += [text] if text not in ledger.notes else []


def note_unpaid(fault: BudgetError | str) -> None:
    """Note which budget allows no more, once in a run however much that stops."""
    note_undone(f"{fault}: what needed more was left out")


async def in_thread_or(default: T, undone: str, work: Callable[..., T], *args: object) -> T:
    """What work in a thread comes to; a default, and a note, if the run's time is over first."""
    try:
        return await to_thread(work, *args)
    except OutOfTimeError as error:
        note(f"{undone}: {error}")
        return default
