"""Progress of long work on standard error: a spinner or bars on a terminal, else lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from errata.render.terminal import say

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID
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

    def __init__(self, every: float = EVERY) -> None:
        """Without a terminal, print at most one line in `every` seconds."""
        self._every, self._told = every, monotonic()
        self._spinner: Status | None = None
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._began: dict[str, tuple[float, int]] = {}

    @contextmanager
    def shown(self, doing: str = "", *, quiet: bool = False) -> Iterator[None]:
        """On a terminal, show what is being done while the block runs, or if empty, bars."""
        if quiet or not sys.stderr.isatty():
            yield
            return
        from rich import progress
        from rich.console import Console

        console = Console(stderr=True)
        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[cost]}"),
            progress.TimeRemainingColumn(),
        )
        if doing:
            with console.status(doing) as self._spinner:
                yield
        else:
            with progress.Progress(*columns, console=console) as self._bars:
                yield
        self._spinner = self._bars = None

    def tell_step(self, step: str, done: int, total: int) -> None:
        """Tell how far a step of a run is; steps that do one thing are not counted."""
        if total > 1:
            did, things = _WORDS.get(step, (f"{step}:", "done"))
            self.tell(f"{did} {done} of {total} {things}")

    def tell(self, text: str) -> None:
        """Tell how far the work is."""
        if self._spinner:
            self._spinner.update(text)
        elif monotonic() - self._told >= self._every:
            self._told = monotonic()
            say(text)

    def move(self, what: str, done: int, total: int | None, cost: str) -> None:
        """Show how far a run is: by its bar, or without a terminal in words now and then."""
        if not self._bars:
            self.tell(f"{what}: {done:,}{self._of(what, done, total)}, {cost}")
            return
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total, cost="")
        self._bars.update(self._tasks[what], completed=done, total=total, cost=cost)

    def _of(self, what: str, done: int, total: int | None) -> str:
        """Of how many, and in how many seconds at the rate since this run was first told of."""
        began, first = self._began.setdefault(what, (monotonic(), done))
        if total is None:
            return ""
        if done == first:
            return f" of {total:,}"
        left = (total - done) * (monotonic() - began) / (done - first)
        return f" of {total:,}, about {left:,.0f} s left"
