"""What every cache can do and tell of itself: of models' calls or of pages, in a file or Redis."""

from dataclasses import dataclass, field
from typing import Protocol


class StoreError(Exception):
    """A cache cannot be read or written."""


@dataclass
class Summary:
    """What a cache holds."""

    kind: str
    """`calls` or `pages`."""
    entries: int = 0
    size: int = 0
    """Bytes."""
    oldest: float | None = None
    """When the oldest entry was made, in seconds since 1970; null if there is none."""
    newest: float | None = None
    hits: int = 0
    """How often it gave an answer; each saved a call to a model, or the load of a page."""
    by: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    """Entries and hits by model, prompt or host."""

    def add(self, part: str, name: str, entries: int, hits: int) -> None:
        """Count some entries and hits under a name of a part."""
        counts = self.by.setdefault(part, {}).setdefault(name, {"entries": 0, "hits": 0})
        counts["entries"] += entries
        counts["hits"] += hits


class Store(Protocol):
    """A cache that can be looked at and made smaller."""

    def summary(self) -> Summary:
        """What it holds.

        Raises StoreError.
        """

    def prune(self, before: float | None = None, size: int | None = None) -> int:
        """Take out what was made before then, and what is over a size in bytes.

        Returns how many. Raises StoreError.
        """

    def close(self) -> None:
        """Close its file or connections."""
