"""How far an evaluation is: a bar on a terminal, else a line now and then, with rate and cost."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from errata.cli.counts import EVERY
from errata.cli.inputs import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from errata.evals.scoring import Row


def open_bars() -> "Progress":
    """Bars on standard error, each with its count, the field `cost`, and the time left."""
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[cost]}"),
        progress.TimeRemainingColumn(),
    )
    return progress.Progress(*columns, console=Console(stderr=True))


class ProgressBar:
    """Takes every row of every run as it is there."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._progress: Progress | None = None
        self._bars: dict[str, TaskID] = {}
        self._tokens = self._fresh = 0
        self._faults = dict[str, tuple[int, str]]()
        self._began = self._told = monotonic()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show a bar for each run while the block runs, if standard error is a terminal."""
        if not sys.stderr.isatty():
            yield
            return
        with open_bars() as self._progress:
            yield
        self._progress = None

    def tell(self, what: str, done: int, total: int, row: "Row", known: bool) -> None:
        """Tell that one more row of a run is there."""
        if row.error:
            count, first = self._faults.get(what, (0, row.error))
            self._faults[what] = count + 1, first
        if not known:
            self._fresh += 1
            usage = row.result.usage if row.result else None
            self._tokens += usage.prompt_tokens + usage.completion_tokens if usage else 0
        rate = self._fresh / max(monotonic() - self._began, 1e-9)
        cost = f"{rate:.1f} a second, {self._tokens:,} tokens"
        if self._progress:
            if what not in self._bars:
                self._bars[what] = self._progress.add_task(what, total=total, cost="")
            self._progress.update(self._bars[what], completed=done, total=total, cost=cost)
        elif monotonic() - self._told >= EVERY:
            self._told = monotonic()
            left = (total - done) / rate if rate else 0
            say(f"{what}: {done} of {total}, {cost}, about {left:.0f} s left")

    def tell_faults(self) -> None:
        """Say of each run how many of its items failed, and why the first did."""
        for what, (count, first) in self._faults.items():
            say(f"errata: {what}: {count} failed and count as the worst; the first: {first}")
