"""Requests to search engines: sent again where that may help, and no faster than allowed."""

from collections.abc import Callable
from typing import Any

from langchain_core.rate_limiters import InMemoryRateLimiter
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential_jitter,
)

from errata.errors import SearchError
from errata.tools.net.limits import Limits
from errata.tools.net.tls import tls_context

PASSING = (408, 425, 429, 500, 502, 503, 504)
LONGEST_WAIT = 30.0
_LIMITERS: dict[tuple[str, float], InMemoryRateLimiter] = {}


class _PassingError(SearchError):
    """Say that a failure may pass, and when, if the server said so."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


def _wait(state: RetryCallState) -> float:
    """Wait as long as the server asked for, else ever longer."""
    error = state.outcome.exception() if state.outcome else None
    after = error.after if isinstance(error, _PassingError) else None
    return min(after, LONGEST_WAIT) if after is not None else _backoff(state)


_backoff = wait_exponential_jitter(multiplier=0.2, max=5)


def _bounds(limits: Limits) -> dict[str, Any]:
    return {
        "stop": stop_after_attempt(limits.retries + 1),
        "wait": _wait,
        "retry": retry_if_exception_type(_PassingError),
        "reraise": True,
    }


async def wait_turn(engine: str, limits: Limits) -> None:
    """Wait until an engine may be asked again."""
    if limits.per_second:
        key = (engine, limits.per_second)
        limiter = _LIMITERS.setdefault(key, InMemoryRateLimiter(requests_per_second=key[1]))
        await limiter.aacquire()


async def request_json(method: str, url: str, limits: Limits, **options: Any) -> dict[str, Any]:
    """Send a request and read the JSON object that comes back.

    Raises SearchError where it fails for good.
    """
    import httpx2

    async with httpx2.AsyncClient(timeout=limits.timeout, verify=tls_context()) as client:
        async for attempt in AsyncRetrying(**_bounds(limits)):
            with attempt:
                try:
                    response = await client.request(method, url, **options)
                except httpx2.HTTPError as error:
                    raise _PassingError(f"{type(error).__name__} {error}".strip()) from error
                _looked_at(response.status_code, response.headers, response.text)
                return _object(response.json)
    raise SearchError("it gave no answer")


def request_json_blocking(send: Callable[[], Any], limits: Limits) -> dict[str, Any]:
    """Do the same with a blocking client's own way of sending."""
    for attempt in Retrying(**_bounds(limits)):
        with attempt:
            response = send()
            _looked_at(response.status_code, response.headers, response.text)
            return _object(response.json)
    raise SearchError("it gave no answer")


def _looked_at(status: int, headers: Any, text: str) -> None:
    """Tell a failure that may pass from one that stays."""
    if status in PASSING:
        after = str(headers.get("retry-after", ""))
        seconds = float(after) if after.replace(".", "", 1).isdigit() else None
        raise _PassingError(f"it answered {status}: {text[:200]}", seconds)
    if status >= 400:  # noqa: PLR2004
        raise SearchError(f"it answered {status}: {text[:200]}")


def _object(read: Callable[[], Any]) -> dict[str, Any]:
    try:
        found = read()
    except ValueError as error:
        raise SearchError(f"its answer is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise SearchError(f"its answer is a {type(found).__name__}, not an object")
    return found
