"""How far a batch is, while it runs and at its end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.cli.counts import Counts
from errata.cli.progress_bar import open_bars

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from errata.batch.totals import Totals


class BatchProgress:
    """A bar on a terminal, else a line now and then, with rate, cost and the time left."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._counts = Counts()
        self._bars: Progress | None = None
        self._bar: TaskID | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show a bar while the block runs, if standard error is a terminal."""
        if not sys.stderr.isatty():
            yield
            return
        with open_bars() as self._bars:
            self._bar = self._bars.add_task("batch", total=None, cost="")
            yield
        self._bars = None

    def tell(self, totals: "Totals") -> None:
        """Tell that one more row is there."""
        if self._bars and self._bar is not None:
            gone = totals.before + totals.done + totals.failed + totals.problems
            cost = f"failed: {totals.failed:,}, {describe_cost(totals)}"
            self._bars.update(self._bar, completed=gone, total=totals.expected, cost=cost)
        else:
            self._counts.tell(describe_progress(totals))


def describe_progress(totals: "Totals") -> str:
    """How far a batch is, in one line.

    >>> from errata.batch.totals import Totals
    >>> describe_progress(Totals(expected=9, before=2, done=3, failed=1)).partition(",")[0]
    'rows: 6 of 9'
    """
    gone = totals.before + totals.done + totals.failed + totals.problems
    of = f" of {totals.expected:,}" if totals.expected is not None else ""
    left = totals.seconds_left
    failed = f", failed: {totals.failed:,}" if totals.failed else ""
    wait = f", about {left:,.0f} s left" if left is not None else ""
    return f"rows: {gone:,}{of}{failed}, {describe_cost(totals)}{wait}"


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
