"""What is run, what came of one item, and a metric over many."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from errata.evals.items import Item
from errata.methods import Result

WEB = "web"
"""As the setting `search` of a task: the pages of the dataset's items, indexed by the runner."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is run, on what, and how it is scored."""

    dataset: str
    method: str
    """A method of ours, or one of `runner.CONTROLS`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the method's Context, as JSON; `search` may be `web`."""
    draft: Literal["given", "own"] = "given"
    """Correct the dataset's draft, or where it has none one that `plain` writes; `own`: the method
    writes it."""
    scorers: tuple[str, ...] = ()
    """Empty: the dataset's own."""

    @property
    def name(self) -> str:
        """Dataset, method and a hash of what it is told, as a file name."""
        known = json.dumps([self.settings, self.draft], sort_keys=True)
        digest = hashlib.sha256(known.encode()).hexdigest()[:8]
        return re.sub(r"[^\w.-]+", "-", f"{self.dataset}-{self.method}-{digest}")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One item, what a method made of it, and how that scored; a line of a file of rows."""

    item: Item
    result: Result | None = None
    """None where the run failed."""
    error: str = ""
    """Why it failed."""
    seconds: float = 0.0
    """Wall time of the run."""
    scores: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By scorer, what it says of this result, as JSON."""


@dataclass(frozen=True)
class Figure:
    """A metric over some rows."""

    value: float | None
    """None where no row has what it takes."""
    low: float | None = None
    """The 95% bootstrap interval's lower end; None where none was drawn."""
    high: float | None = None
    count: int = 0
    """How many things it is a mean or a share of: rows, facts, claims."""
