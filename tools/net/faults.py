"""What an error of a server's client means, told without knowing the client's own classes."""

from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

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
    """Whether the same call may succeed later."""
    return status_of(error) in (408, 409, 425, 429) or is_outage(error)


def repeating(attempts: int) -> AsyncRetrying:
    """What makes a call again after a failure that may pass, so often in all, and waits between."""
    return AsyncRetrying(
        stop=stop_after_attempt(attempts),
        wait=wait_exponential_jitter(multiplier=0.2, max=5),
        retry=retry_if_exception(is_transient),
        reraise=True,
    )
