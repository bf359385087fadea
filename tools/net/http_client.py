"""JSON requests to search engines, retried after transient failures."""

from collections.abc import Awaitable, Callable
from typing import Any

from tenacity import (
    AsyncRetrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential_jitter,
)

from errata.core.errors import SearchError
from errata.tools.net.faults import waits
from errata.tools.net.limits import REPLY_BYTES, Limits

TRANSIENT_STATUS = (408, 425, 429, 500, 502, 503, 504)
MAX_WAIT = 30.0
"""Seconds to wait at most, even if the server asks for longer."""
_wait_seconds = waits(wait_exponential_jitter(multiplier=0.2, max=5), MAX_WAIT)


class _TransientError(SearchError):
    """A failure worth a retry; the response, if one came, may say after how long."""

    def __init__(self, message: str, response: Any = None) -> None:
        super().__init__(message)
        self.response = response


async def request_json(method: str, url: str, limits: Limits, **options: Any) -> dict[str, Any]:
    """Send a request and parse the JSON object in the response.

    Raises SearchError if every attempt fails, the status is an error, or the body is not JSON.
    """
    import httpx2

    from errata.tools.net.bounded import LargeReplyError, abounded

    async with httpx2.AsyncClient(timeout=limits.timeout, **abounded(REPLY_BYTES)) as client:

        async def send() -> httpx2.Response:
            try:
                return await client.request(method, url, **options)
            except httpx2.HTTPError as error:
                raise _TransientError(f"{type(error).__name__} {error}".strip()) from error
            except LargeReplyError as error:
                raise SearchError(str(error)) from error

        return await repeat_json(send, limits)


async def repeat_json(send: Callable[[], Awaitable[Any]], limits: Limits) -> dict[str, Any]:
    """The JSON object in the response that `send` brings, at one of its attempts.

    Raises SearchError as `request_json` does, and whatever `send` raises.
    """
    attempts = AsyncRetrying(
        stop=stop_after_attempt(limits.retries + 1),
        wait=_wait_seconds,
        retry=retry_if_exception_type(_TransientError),
        reraise=True,
    )
    async for attempt in attempts:
        with attempt:
            return _parse_response(await send())
    raise SearchError("it gave no answer")


def _parse_response(response: Any) -> dict[str, Any]:
    """The JSON object in a response; raises _TransientError for a status worth a retry."""
    status = response.status_code
    if status >= 400:  # noqa: PLR2004
        message = f"it answered {status}: {response.text[:200]}"
        transient = status in TRANSIENT_STATUS
        raise _TransientError(message, response) if transient else SearchError(message)
    try:
        body = response.json()
    except ValueError as error:
        raise SearchError(f"its answer is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise SearchError(f"its answer is a {type(body).__name__}, not a JSON object")
    return body
