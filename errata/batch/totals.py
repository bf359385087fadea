"""How far a batch is, and what it has cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from time import monotonic
from typing import Any

from errata.core.budgets import Cost

STOP_AFTER = 50
"""Rows that fail one after another before the batch stops."""
INTERRUPTED = "it was interrupted"


@dataclass(kw_only=True)
class Totals:
    """How far a batch is, and what it has cost this time."""

    before: int = 0
    """The rows that were in the output before."""
    done: int = 0
    """The rows done this time that did not fail."""
    failed: int = 0
    """The rows that failed this time."""
    in_a_row: int = 0
    """The rows that failed one after another, up to now."""
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

    @property
    def rows(self) -> int:
        """The rows in the output."""
        return self.before + self.done + self.failed

    @property
    def seconds(self) -> float:
        """Seconds since the batch began."""
        return monotonic() - self.began

    @property
    def rate(self) -> float:
        """Rows a second, of those that were run this time."""
        return (self.done + self.failed) / max(self.seconds, 1e-9)

    @property
    def cost(self) -> Cost:
        """What the rows of this time have cost."""
        return Cost(**{each.name: getattr(self, each.name) for each in fields(Cost)})

    def count(self, row: Mapping[str, Any]) -> None:
        """Add an output row, and what it cost."""
        if "error" in row:
            self.failed, self.in_a_row = self.failed + 1, self.in_a_row + 1
            self.first_error = self.first_error or str(row["error"])
        else:
            self.done, self.in_a_row = self.done + 1, 0
            self.unjudged += row.get("checked") is False
        usage = row.get("usage", {})
        self.calls += usage.get("model_calls", 0)
        self.tokens += usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
        self.money += usage.get("money", 0.0)
        self.searches += usage.get("searches", 0)
        self.pages += usage.get("pages", 0)


OnRow = Callable[[Totals], None]
"""Takes the totals after each row."""
