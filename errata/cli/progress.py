"""Progress of long work on standard error: a spinner on a terminal, else lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from errata.render.terminal import say

if TYPE_CHECKING:
    from rich.status import Status

EVERY = 30.0
"""Seconds between two lines where standard error is no terminal."""
_WORDS = {
    "fetch": ("read", "pages"),
    "look_up": ("looked up", "claims"),
    "verify": ("judged", "claims"),
    "correct": ("corrected", "claims"),
    "evaluate": ("judged", "documents"),
    "answer": ("answered", "questions"),
}
"""What a step does, and to what."""


class Progress:
    """Tells on standard error how much of some work is done."""

    def __init__(self) -> None:
        """Without a terminal, print at most one line in `EVERY` seconds."""
        self._told = monotonic()
        self._spinner: Status | None = None

    @contextmanager
    def shown(self, doing: str, *, quiet: bool = False) -> Iterator[None]:
        """On a terminal, show what is being done while the block runs."""
        if quiet or not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        with Console(stderr=True).status(doing) as self._spinner:
            yield
        self._spinner = None

    def tell_step(self, step: str, done: int, total: int) -> None:
        """Tell how far a step of a run is; steps that do one thing are not counted."""
        if total > 1:
            did, things = _WORDS.get(step, (f"{step}:", "done"))
            self.tell(f"{did} {done} of {total} {things}")

    def tell(self, text: str) -> None:
        """Tell how far the work is."""
        if self._spinner:
            self._spinner.update(text)
        elif monotonic() - self._told >= EVERY:
            self._told = monotonic()
            say(text)
