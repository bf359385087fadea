"""How far a batch is, what it has cost, and what ends it before its last row."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from time import monotonic
from types import FrameType
from typing import Any, NoReturn

from errata.core.budgets import Budget, Cost

STOP_AFTER = 50
"""Rows that fail one after another before the batch stops."""


@dataclass(kw_only=True)
class Totals:
    """How far a batch is, and what it has cost this time."""

    expected: int | None = None
    """The lines of the input; None if that is unknown before the end."""
    rows: int = 0
    """The rows that were started, and those that were done before."""
    before: int = 0
    """Of these, the rows that were done before."""
    done: int = 0
    """The rows done this time that did not fail."""
    failed: int = 0
    """The rows that failed this time."""
    unjudged: int = 0
    """Of the rows done this time, those in which no claim was judged."""
    first_error: str = ""
    """What the first failed row says; empty if none failed."""
    failed_before: int = 0
    """The rows that failed in an earlier run and were not run again."""
    problems: int = 0
    """The lines of the input that are no rows."""
    calls: int = 0
    tokens: int = 0
    money: float = 0.0
    searches: int = 0
    pages: int = 0
    began: float = field(default_factory=monotonic)
    """When the batch began, by the monotonic clock."""
    stopped: str = ""
    """Why the batch ended before its last row; empty if it did not."""
    signal: int = 0
    """The signal that ended it; 0 if none did."""

    @property
    def seconds(self) -> float:
        """Seconds since the batch began."""
        return monotonic() - self.began

    @property
    def rate(self) -> float:
        """Rows a second, of those that were run this time."""
        return (self.done + self.failed) / max(self.seconds, 1e-9)

    @property
    def gone(self) -> int:
        """The lines of the input that have been dealt with."""
        return self.before + self.done + self.failed + self.problems

    def count(self, row: Mapping[str, Any]) -> None:
        """Add an output row, and what it cost."""
        if "error" in row:
            self.failed += 1
            self.first_error = self.first_error or str(row["error"])
        else:
            self.done += 1
            self.unjudged += row.get("checked") is False
        usage = row.get("usage", {})
        self.calls += usage.get("model_calls", 0)
        self.tokens += usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
        self.money += usage.get("money", 0.0)
        self.searches += usage.get("searches", 0)
        self.pages += usage.get("pages", 0)


@dataclass
class Stop:
    """Whether another row may start: not after a signal, at a limit, or after many failures."""

    totals: Totals
    budget: Budget
    """What this run of the batch may spend; rows under way when it is used up are finished."""
    stop_after: int
    say: Callable[[str], None]
    _in_a_row: int = 0

    def due(self) -> bool:
        """Whether no further row may start; the totals then say why."""
        totals, spent = self.totals, {f.name: getattr(self.totals, f.name) for f in fields(Cost)}
        self.budget.spent = Cost(**spent)
        # Called in the thread that reads rows: keep the reason that a signal may set meanwhile.
        if limit := self.budget.used_up:
            totals.stopped = totals.stopped or f"the batch's limit is reached: {limit}"
        return bool(totals.stopped)

    def count(self, row: Mapping[str, Any]) -> None:
        """Count failures one after another; `stop_after` of them end the batch."""
        self._in_a_row = self._in_a_row + 1 if "error" in row else 0
        if self.stop_after and self._in_a_row >= self.stop_after and not self.totals.stopped:
            self.totals.stopped = f"{self._in_a_row} rows failed one after another: {row['error']}"

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Stop at an interrupt or SIGTERM: the first lets rows under way finish, the next does not.

        Does nothing in other threads, which cannot handle signals.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        heard = signal.SIGINT, signal.SIGTERM
        before = {number: signal.signal(number, self._hear) for number in heard}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _hear(self, number: int, _: FrameType | None) -> None:
        if self.totals.signal:
            # Raised between two callbacks of a loop, it cuts none short that others wait for.
            with suppress(RuntimeError):
                asyncio.get_running_loop().call_soon_threadsafe(_interrupt)
                return
            _interrupt()
        self.totals.signal = number
        self.totals.stopped = f"it was stopped by {signal.Signals(number).name}"
        self.say("errata: finishing the rows under way; once more drops them, to be run next time")


def _interrupt() -> NoReturn:
    raise KeyboardInterrupt


OnRow = Callable[[Totals], None]
"""Takes the totals after each row."""
