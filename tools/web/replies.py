"""A search engine's replies: bounded, asked for again where that may help, read as JSON objects."""

from collections.abc import Mapping
from typing import Any

from tenacity import (
    AsyncRetrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from errata.core.errors import SearchError
from errata.tools.net.endpoints import REPLY_BYTES, Limits
from errata.tools.net.faults import is_transient, waits

MAX_WAIT = 30.0
"""Seconds to wait at most, even if the server asks for longer."""
_wait_seconds = waits(wait_exponential_jitter(multiplier=0.2, max=5), MAX_WAIT)
Reply = Mapping[str, Any]


async def request(method: str, url: str, limits: Limits, **options: Any) -> Reply:
    """Send a request, and again after a failure that may pass; the JSON object in the response.

    Raises SearchError if every attempt fails, the status is an error, or the body is not JSON.
    """
    import httpx2

    from errata.tools.net.bounded import LargeReplyError, abounded

    retrying = AsyncRetrying(
        stop=stop_after_attempt(limits.retries + 1),
        wait=_wait_seconds,
        retry=retry_if_exception(is_transient),
        reraise=True,
    )

    async def attempt() -> Any:
        return (await client.request(method, url, **options)).raise_for_status().json()

    try:
        async with httpx2.AsyncClient(timeout=limits.timeout, **abounded(REPLY_BYTES)) as client:
            body: Any = await retrying(attempt)
    except httpx2.HTTPStatusError as error:
        response = error.response
        raise SearchError(f"it answered {response.status_code}: {response.text[:200]}") from error
    except httpx2.HTTPError as error:
        raise SearchError(f"{type(error).__name__} {error}".strip()) from error
    except LargeReplyError as error:
        raise SearchError(str(error)) from error
    except ValueError as error:
        raise SearchError(f"its answer is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise SearchError(f"its answer is a {type(body).__name__}, not a JSON object")
    return body
