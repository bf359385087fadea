"""What a step spends, and the prompts it sends, added up wherever in the step that happens."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from errata.records import Usage


@dataclass
class Ledger:
    """One step's bill."""

    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The digest of each template that was sent, by its name."""


_OPEN: ContextVar[Ledger | None] = ContextVar("errata.ledger", default=None)


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    """A bill for all that is spent inside the block, in tasks and threads it starts too."""
    ledger = Ledger()
    token = _OPEN.set(ledger)
    try:
        yield ledger
    finally:
        _OPEN.reset(token)


def spend(usage: Usage, prompts: dict[str, str] | None = None) -> None:
    """Add to the open bill; outside a step nobody counts."""
    ledger = _OPEN.get()
    if ledger:
        ledger.usage += usage
        ledger.prompts |= prompts or {}
