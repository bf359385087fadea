"""What an error of a server's client means, told without knowing the client's own classes."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from tenacity import RetryCallState

Wait = Callable[[RetryCallState], float]
NO_ACCESS = (401, 403, 404)
_BROKEN = frozenset(
    "APIConnectionError ClientConnectionError ConnectionError Timeout TimeoutError "
    "TimeoutException TransportError".split()
)
"""What HTTP clients and providers call a connection that broke, or brought nothing in time."""


def status_of(error: object) -> int:
    """The HTTP status that an error reports; 0 if it reports none."""
    places = (error, getattr(error, "response", None))
    found = (getattr(place, name, None) for place in places for name in ("status_code", "code"))
    return next((status for status in found if isinstance(status, int)), 0)


def is_broken(error: object) -> bool:
    """Whether there was no connection, or it broke, or brought nothing in time."""
    return any(kind.__name__ in _BROKEN for kind in type(error).__mro__)


def is_outage(error: object) -> bool:
    """Whether the server is down: it cannot be reached, or fails by itself."""
    status = status_of(error)
    return status >= 500 or (not status and is_broken(error))  # noqa: PLR2004


def is_transient(error: object) -> bool:
    """Whether the same call may succeed later; a server may say so itself (`x-should-retry`)."""
    said = str(_headers(error).get("x-should-retry", ""))
    if said in ("true", "false"):
        return said == "true"
    return status_of(error) in (408, 409, 425, 429) or is_outage(error)


def asked_wait(error: object) -> float | None:
    """Seconds that the server asks to wait; None if it asks for none.

    `retry-after-ms` holds milliseconds, `retry-after` seconds or a date (RFC 9110, 10.2.3).
    """
    headers = _headers(error)
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = str(headers.get(name, ""))
        if said.isascii() and said.replace(".", "", 1).isdigit():
            return float(said) * unit
    try:
        then = parsedate_to_datetime(str(headers.get("retry-after", "")))
    except (ValueError, TypeError):
        return None
    aware = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def waits(backoff: Wait, most: float) -> Wait:
    """Seconds until the next try: what the server asked for, up to `most`; else a backoff."""

    def seconds(state: RetryCallState) -> float:
        asked = asked_wait(state.outcome.exception() if state.outcome else None)
        return backoff(state) if asked is None else min(asked, most)

    return seconds


def _headers(error: object) -> Any:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if hasattr(headers, "get") else {}
