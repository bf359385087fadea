"""Limits on calls to a server."""

from dataclasses import dataclass

REPLY_BYTES = 5_000_000
"""The most that a model server or search engine may reply to one call."""


@dataclass(frozen=True)
class Limits:
    """Limits on one run's calls to a model server or search engine."""

    timeout: float = 60.0
    """Seconds that one call may take."""
    retries: int = 3
    """Retries after a 429, a 5xx or a connection error."""
    at_once: int = 32
    """Concurrent calls to one endpoint."""
    per_second: float = 0.0
    """Calls started per second; 0 is no limit."""
    breaker_after: int = 5
    """Failed calls in a row after which an endpoint is not asked; 0: it always is."""
    breaker_seconds: float = 30.0
    """Seconds for which it is not asked."""
