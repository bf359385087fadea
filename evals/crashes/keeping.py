"""Where replies are kept before they are handed on, and how many are."""

from pathlib import Path
from typing import Any

from errata.tools.models.call_cache import CallCache

KEPT = "calls.sqlite"


def keeping(replies: Path) -> dict[str, Any]:
    """The settings of a run that keeps replies in a folder, and takes from there what it can."""
    return {"call_cache": str(replies / KEPT)}


def count_kept(replies: Path) -> int:
    """How many replies are kept there."""
    return CallCache.open(str(replies / KEPT)).store.summary().entries
