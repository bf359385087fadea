"""How requests for pages leave: to checked addresses, or out of a cache in a SQLite file."""

import re
import sqlite3
from asyncio import to_thread
from datetime import UTC, datetime
from email.utils import formatdate
from pathlib import Path

from httpx2 import AsyncBaseTransport, AsyncHTTPTransport, Headers, Request, Response

from errata.core.limits import note_undone
from errata.tools.net.bounded import tls_context
from errata.tools.net.safe_urls import resolve_public

_ADDRESS = "errata_address"
"""The extension of a request that holds the IP address that its host was checked to be at."""
RETRIEVED = "x-errata-retrieved"
"""The header of a response that holds when its server sent it, or called it unchanged."""
FRESH_SECONDS = 24 * 3600
"""How long a kept page is fresh where its server says nothing of that."""
_OK, _UNCHANGED = 200, 304
_SAYS = re.compile(r"\b(?:max-age|no-cache|no-store)\b", re.IGNORECASE)


class PublicTransport(AsyncBaseTransport):
    """Lets requests to public addresses pass, also those that a cache could answer."""

    def __init__(self, inner: AsyncBaseTransport) -> None:
        """Check before a transport."""
        self._inner = inner

    async def handle_async_request(self, request: Request) -> Response:
        """Pass on a request; raises PageError if its host is not public."""
        address = await resolve_public(str(request.url))
        request.extensions |= {_ADDRESS: address, "sni_hostname": request.url.host}
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


class _Connecting(AsyncHTTPTransport):
    """Connects to the address that was checked, whatever the host's name leads to by now."""

    async def handle_async_request(self, request: Request) -> Response:
        """Send a request; its Host header and its TLS name stay those of its URL."""
        target = request.url.copy_with(host=request.extensions[_ADDRESS])
        parts = {name: getattr(request, name) for name in ("headers", "stream", "extensions")}
        response = await super().handle_async_request(Request(request.method, target, **parts))
        _say_how_long(response.status_code, response.headers)
        if "authorization" in request.headers:
            response.headers["cache-control"] = "no-store"
        return response


def _say_how_long(status: int, headers: Headers) -> None:
    """Have a response's headers say how long it is fresh: a day where its server does not."""
    headers[RETRIEVED] = datetime.now(UTC).isoformat(timespec="seconds")
    if status not in (_OK, _UNCHANGED):
        headers["cache-control"] = "no-store"
    elif status == _OK:
        headers.pop("set-cookie", None)  # no cookie is to be kept
        headers["date"] = formatdate(usegmt=True)  # with none, or a later one, it would stay new
        told = headers.get("cache-control", headers.get("pragma", ""))
        if not _SAYS.search(told) and "expires" not in headers:
            told = f"{told}, max-age={FRESH_SECONDS}".removeprefix(", ")
        headers["cache-control"] = told


async def open_transport(cache: str, largest: int) -> AsyncBaseTransport:
    """A transport to public addresses, which keeps pages as RFC 9111 tells a user's own cache.

    Pages have at most `largest` bytes. A file that cannot be used is noted, and nothing kept.
    """
    plain = _Connecting(verify=tls_context(), trust_env=False)
    if not cache:
        return PublicTransport(plain)
    import anysqlite
    from hishel import AsyncSqliteStorage, CacheOptions
    from hishel.httpx2 import AsyncCacheTransport

    try:
        await to_thread(Path(cache).touch, 0o600)  # what it keeps is for its owner alone
        connection = await anysqlite.connect(cache, isolation_level=None)
        storage = AsyncSqliteStorage(connection=connection, max_stream_size=largest)
        try:
            cursor = await connection.cursor()
            for told in ("BEGIN IMMEDIATE", "ROLLBACK"):  # a file that may be written
                await cursor.execute(told)
            await storage.get_entries("")  # and no other database
        except BaseException:
            await storage.close()
            raise
    except (OSError, RuntimeError, sqlite3.Error) as error:
        note_undone(f"the page cache cannot be used: {cache!r}: {error}; pages are not kept")
        return PublicTransport(plain)
    options = CacheOptions(shared=False)
    return PublicTransport(AsyncCacheTransport(plain, storage, rfc=options))
