"""Bounds on what one run asks of a server."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bound what one run asks of a model's server."""

    timeout: float = 60.0
    """Seconds one call may take."""
    retries: int = 3
    """How often a call is sent again after a 429, a 5xx or a broken connection."""
    at_once: int = 32
    """How many calls one endpoint gets at a time."""
    per_second: float = 0.0
    """How many calls a second may begin; 0 sets no limit."""
