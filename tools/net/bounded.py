"""Clients of servers: one TLS context, and replies read up to a bound of bytes and no further."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import cache
from ssl import SSLContext
from typing import Any

from httpx2 import AsyncByteStream, HTTPError, Response, create_ssl_context


class LargeReplyError(HTTPError):
    """A server sends more than it may."""


@cache
def tls_context() -> SSLContext:
    """The process's one TLS context: creating one takes longer than most requests."""
    return create_ssl_context()


def bounded(most: int) -> dict[str, Any]:
    """Options of an httpx2.AsyncClient that reads at most so many bytes of a reply's body.

    They are counted as they come, and again as they are unpacked: a small body may hold a large
    one. The client raises LargeReplyError, and closes the connection.
    """

    async def bound(response: Response) -> None:
        sent = Response(200, headers=response.headers, stream=_Counted(response.stream, most))
        response.stream = _Counted(sent, most, Response.aiter_bytes)
        response.headers.pop("content-encoding", None)

    return {"verify": tls_context(), "event_hooks": {"response": [bound]}}


class _Counted(AsyncByteStream):
    """A body that breaks off where it gets too long."""

    def __init__(self, body: Any, most: int, read: Callable[[Any], Any] = aiter) -> None:
        self._body, self._most, self._read = body, most, read

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async with aclosing(self._read(self._body)) as parts:
            async for part in parts:
                count += len(part)
                if count > self._most:
                    raise LargeReplyError(f"its reply is larger than {self._most} bytes")
                yield part

    async def aclose(self) -> None:
        await self._body.aclose()
