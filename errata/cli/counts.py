"""How far long work is: a line that changes on a terminal, else a line now and then."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from errata.cli.inputs import say

if TYPE_CHECKING:
    from rich.status import Status

EVERY = 30.0
"""Seconds between two lines where standard error is no terminal."""
_WORDS = {
    "look_up": ("looked up", "claims"),
    "verify": ("judged", "claims"),
    "correct": ("corrected", "claims"),
    "evaluate": ("judged", "documents"),
    "answer": ("answered", "questions"),
}
"""What a step does, and to what."""


class Counts:
    """Tells on standard error how much of some work is done."""

    def __init__(self, every: float = EVERY) -> None:
        """Count; `every` is how many seconds to wait between lines."""
        self._every = every
        self._status: Status | None = None
        self._told = monotonic()

    @contextmanager
    def shown(self, doing: str) -> Iterator[None]:
        """Show what is being done while the block runs."""
        if not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        with Console(stderr=True).status(doing) as self._status:
            yield
        self._status = None

    def tell_step(self, step: str, done: int, total: int) -> None:
        """Tell how far a step of a run is; steps that do one thing are not counted."""
        if total > 1:
            did, things = _WORDS.get(step, (f"{step}:", "done"))
            self.tell(f"{did} {done} of {total} {things}")

    def tell(self, text: str) -> None:
        """Tell how far the work is."""
        if self._status:
            self._status.update(text)
        elif monotonic() - self._told >= self._every:
            self._told = monotonic()
            say(text)
