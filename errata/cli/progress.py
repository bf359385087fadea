"""Progress of long work on standard error: bars on a terminal, else a line now and then."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from errata.render.terminal import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID
    from rich.status import Status

    from errata.batch.totals import Totals
    from errata.evals.scoring import Row

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
        """Print at most one line in `every` seconds."""
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


class Bars:
    """A bar for each run on a terminal, with its count, its cost and the time left."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._counts = Counts()
        self._progress: Progress | None = None
        self._bars: dict[str, TaskID] = {}

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bars while the block runs, if standard error is a terminal."""
        if not sys.stderr.isatty():
            yield
            return
        from rich import progress
        from rich.console import Console

        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[cost]}"),
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Console(stderr=True)) as self._progress:
            yield
        self._progress = None

    def move(self, what: str, done: int, total: int | None, cost: str, text: str) -> None:
        """Show how far a run is: by its bar, or without a terminal by the text now and then."""
        if not self._progress:
            self._counts.tell(text)
            return
        if what not in self._bars:
            self._bars[what] = self._progress.add_task(what, total=total, cost="")
        self._progress.update(self._bars[what], completed=done, total=total, cost=cost)


class EvalProgress(Bars):
    """How far an evaluation is, with rate and cost."""

    def __init__(self) -> None:
        """Show nothing yet."""
        super().__init__()
        self._tokens = self._fresh = 0
        self._faults = dict[str, tuple[int, str]]()
        self._began = monotonic()

    def tell(self, what: str, done: int, total: int, row: "Row", known: bool) -> None:
        """Show that one more row of a run is done."""
        if row.error:
            count, first = self._faults.get(what, (0, row.error))
            self._faults[what] = count + 1, first
        if not known:
            self._fresh += 1
            usage = row.result.usage if row.result else None
            self._tokens += usage.prompt_tokens + usage.completion_tokens if usage else 0
        rate = self._fresh / max(monotonic() - self._began, 1e-9)
        cost = f"{rate:.1f} a second, {self._tokens:,} tokens"
        left = (total - done) / rate if rate else 0
        text = f"{what}: {done} of {total}, {cost}, about {left:.0f} s left"
        self.move(what, done, total, cost, text)

    def tell_faults(self) -> None:
        """Say of each run how many of its items failed, and why the first did."""
        for what, (count, first) in self._faults.items():
            say(f"errata: {what}: {count} failed and count as the worst; the first: {first}")


class BatchProgress(Bars):
    """How far a batch is, with its failures, rate, cost and the time left."""

    def tell(self, totals: "Totals") -> None:
        """Show that one more row is done."""
        cost = f"failed: {totals.failed:,}, {describe_cost(totals)}"
        self.move("batch", totals.gone, totals.expected, cost, describe_progress(totals))


def describe_progress(totals: "Totals") -> str:
    """How far a batch is, in one line.

    >>> from errata.batch.totals import Totals
    >>> describe_progress(Totals(expected=9, before=2, done=3, failed=1)).partition(",")[0]
    'rows: 6 of 9'
    """
    of = f" of {totals.expected:,}" if totals.expected is not None else ""
    left = totals.seconds_left
    failed = f", failed: {totals.failed:,}" if totals.failed else ""
    wait = f", about {left:,.0f} s left" if left is not None else ""
    return f"rows: {totals.gone:,}{of}{failed}, {describe_cost(totals)}{wait}"


def describe_cost(totals: "Totals") -> str:
    """What a batch has spent so far, and its rate."""
    return (
        f"model calls: {totals.calls:,}, tokens: {totals.tokens:,}, money: {totals.money:,.4f}, "
        f"{totals.rate:.1f} rows a second"
    )


def describe_end(totals: "Totals", out: Path) -> Iterator[str]:
    """What was done and what it cost; why the batch ended early, and how to go on."""
    if totals.stopped:
        yield f"errata: {totals.stopped}; the same command goes on from here"
    if failed := totals.failed + totals.failed_before:
        why = f"; the first: {totals.first_error}" if totals.first_error else ""
        yield f"errata: rows that failed: {failed:,}; --retry-failed runs them again{why}"
    if totals.unjudged:
        yield (
            f"errata: rows done in which no claim was judged: {totals.unjudged:,}; `checked` is "
            "false there, and `notes` say why if they had claims"
        )
    if totals.problems:
        yield f"errata: lines that are no rows: {totals.problems:,}; see {out}.problems.jsonl"
    before = f" ({totals.before:,} done before)" if totals.before else ""
    yield (
        f"rows: {totals.rows:,}{before}, done: {totals.done:,}, failed: {totals.failed:,}, "
        f"problems: {totals.problems:,}, {describe_cost(totals)}, {totals.seconds:.2f} s"
    )


def totals_json(totals: "Totals") -> dict[str, Any]:
    """The totals as JSON."""
    values = {each.name: getattr(totals, each.name) for each in fields(totals)}
    values.pop("began")
    return values | {"seconds": round(totals.seconds, 3), "rate": round(totals.rate, 3)}
