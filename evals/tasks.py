"""A task: a dataset, the method that is run on it, its settings, and what scores the results."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

WEB = "web"
"""As the setting `search` of a task: the pages of the dataset's items, indexed by the runner."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is run, on what, and how it is scored."""

    dataset: str
    method: str
    """A method of ours, or one of `evals.controls`."""
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
