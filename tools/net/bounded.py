"""Clients of servers: one TLS context, and replies read up to a bound of bytes and no further."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import cache
from ssl import SSLContext
from typing import Any

from httpx2 import AsyncByteStream, Response, SyncByteStream, create_ssl_context

Parts = Callable[[Any], Any]


class LargeReplyError(Exception):
    """A server sends more than it may."""


@cache
def tls_context() -> SSLContext:
    """The process's one TLS context: creating one takes longer than most requests."""
    return create_ssl_context()


def bounded(most: int) -> dict[str, Any]:
    """Options of an httpx2 client that reads at most so many bytes of a reply's body.

    They are counted as they come, and again as they are unpacked: a small body may hold a large
    one. The client raises LargeReplyError, and closes the connection.
    """

    def bound(response: Response) -> None:
        sent = Response(200, headers=response.headers, stream=_Counted(response.stream, most))
        response.stream = _Counted(sent, most, Response.iter_bytes, Response.aiter_bytes)
        response.headers.pop("content-encoding", None)

    return {"verify": tls_context(), "event_hooks": {"response": [bound]}}


def abounded(most: int) -> dict[str, Any]:
    """As `bounded`, for an asynchronous client."""
    options = bounded(most)
    [bound] = options["event_hooks"]["response"]

    async def abound(response: Response) -> None:
        bound(response)

    return options | {"event_hooks": {"response": [abound]}}


class _Counted(SyncByteStream, AsyncByteStream):
    """A body that breaks off where it gets too long."""

    def __init__(self, body: Any, most: int, parts: Parts = iter, aparts: Parts = aiter) -> None:
        self._body, self._most, self._parts, self._aparts = body, most, parts, aparts
        self._count = 0

    def __iter__(self) -> Iterator[bytes]:
        yield from map(self._counted, self._parts(self._body))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with aclosing(self._aparts(self._body)) as parts:
            async for part in parts:
                yield self._counted(part)

    def close(self) -> None:
        self._body.close()

    async def aclose(self) -> None:
        await self._body.aclose()

    def _counted(self, part: bytes) -> bytes:
        self._count += len(part)
        if self._count > self._most:
            raise LargeReplyError(f"its reply is larger than {self._most} bytes")
        return part
