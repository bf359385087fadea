"""What a step spends, sends and notes, added up wherever in the step that happens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from errata.records import Usage


@dataclass
class Ledger:
    """One step's bill and notes."""

    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The digest of each template that was sent, by its name."""
    notes: list[str] = field(default_factory=list)
    """In words, what went wrong or was skipped."""
    progress: Callable[[int, int], None] | None = None
    """Tells whoever follows the run how many of how many calls are done."""


_OPEN: ContextVar[Ledger | None] = ContextVar("errata.ledger", default=None)


@contextmanager
def open_ledger(progress: Callable[[int, int], None] | None = None) -> Iterator[Ledger]:
    """A ledger for all that happens inside the block, in tasks and threads it starts too."""
    ledger = Ledger(progress=progress)
    token = _OPEN.set(ledger)
    try:
        yield ledger
    finally:
        _OPEN.reset(token)


def spend(usage: Usage, prompts: dict[str, str] | None = None) -> None:
    """Add to the open ledger's bill; outside a step nobody counts."""
    ledger = _OPEN.get()
    if ledger:
        ledger.usage += usage
        ledger.prompts |= prompts or {}


def note(*texts: str) -> None:
    """Add notes to the open ledger; outside a step nobody reads them."""
    ledger = _OPEN.get()
    if ledger:
        ledger.notes += texts


def report_progress(done: int, total: int) -> None:
    """Tell whoever follows the run how many of how many calls of the step are done."""
    ledger = _OPEN.get()
    if ledger and ledger.progress:
        ledger.progress(done, total)


def note_once(text: str) -> None:
    """Add a note that the open ledger does not hold yet."""
    ledger = _OPEN.get()
    if ledger and text not in ledger.notes:
        ledger.notes.append(text)
