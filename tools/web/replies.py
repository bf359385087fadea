"""A search engine's replies: bounded, asked for again where that may help, read as JSON objects."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tenacity import (
    AsyncRetrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from errata.core.errors import SearchError
from errata.tools.net.endpoints import REPLY_BYTES, Limits
from errata.tools.net.faults import is_transient

Reply = Mapping[str, Any]


async def request(method: str, url: str, limits: Limits, **options: Any) -> Reply:
    """Send a request, and again after a failure that may pass; the JSON object in the response.

    Raises SearchError if every attempt fails, the status is an error, or the body is not JSON.
    """
    import httpx2

    from errata.tools.net.bounded import abounded

    client = httpx2.AsyncClient(timeout=limits.timeout, **abounded(REPLY_BYTES))

    async def attempt() -> Reply:
        response = (await client.request(method, url, **options)).raise_for_status()
        return read_object(response.text)

    async with client:
        return await repeated(attempt, limits)


async def repeated(attempt: Callable[[], Awaitable[Reply]], limits: Limits) -> Reply:
    """What an attempt replies, which is made again after a failure that may pass.

    Raises SearchError in place of what the client raises.
    """
    retrying = AsyncRetrying(
        stop=stop_after_attempt(limits.retries + 1),
        wait=wait_exponential_jitter(multiplier=0.2, max=5),
        retry=retry_if_exception(is_transient),
        reraise=True,
    )
    with _in_our_words():
        return await retrying(attempt)


@contextmanager
def _in_our_words() -> Iterator[None]:
    import httpx2

    from errata.tools.net.bounded import LargeReplyError

    try:
        yield
    except httpx2.HTTPStatusError as error:
        response = error.response
        raise SearchError(f"it answered {response.status_code}: {response.text[:200]}") from error
    except httpx2.HTTPError as error:
        raise SearchError(f"{type(error).__name__} {error}".strip()) from error
    except LargeReplyError as error:
        raise SearchError(str(error)) from error


def read_object(text: str) -> Reply:
    """The JSON object in a reply; raises SearchError if it is none."""
    try:
        body = json.loads(text)
    except ValueError as error:
        raise SearchError(f"its answer is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise SearchError(f"its answer is a {type(body).__name__}, not a JSON object")
    return body
