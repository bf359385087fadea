"""Clients of servers: one TLS context, and replies read up to a bound of bytes and no further."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import cache
from ssl import SSLContext
from typing import Any

from httpx2 import AsyncByteStream, Response, SyncByteStream, create_ssl_context


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
        response.stream = _Unpacked(response, most)
        response.headers.pop("content-encoding", None)

    return {"verify": tls_context(), "event_hooks": {"response": [bound]}}


def abounded(most: int) -> dict[str, Any]:
    """As `bounded`, for an asynchronous client."""
    options = bounded(most)
    bound: Callable[[Response], None] = options["event_hooks"]["response"][0]

    async def abound(response: Response) -> None:
        bound(response)

    return options | {"event_hooks": {"response": [abound]}}


class _Counted(SyncByteStream, AsyncByteStream):
    """A body that breaks off where it gets too long."""

    def __init__(self, body: Any, most: int) -> None:
        self._body, self._most = body, most

    def __iter__(self) -> Iterator[bytes]:
        count = 0
        for part in self._parts():
            count = self._checked(count + len(part))
            yield part

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async with aclosing(self._aparts()) as parts:
            async for part in parts:
                count = self._checked(count + len(part))
                yield part

    def close(self) -> None:
        self._body.close()

    async def aclose(self) -> None:
        await self._body.aclose()

    def _checked(self, count: int) -> int:
        if count > self._most:
            raise LargeReplyError(f"its reply is larger than {self._most} bytes")
        return count

    def _parts(self) -> Any:
        return self._body

    def _aparts(self) -> Any:
        return aiter(self._body)


class _Unpacked(_Counted):
    """The body of a response as it was before it was packed; neither form may be too long."""

    def __init__(self, response: Response, most: int) -> None:
        packed = _Counted(response.stream, most)
        super().__init__(Response(200, headers=response.headers, stream=packed), most)

    def _parts(self) -> Any:
        return self._body.iter_bytes()

    def _aparts(self) -> Any:
        return self._body.aiter_bytes()
