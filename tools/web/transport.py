"""How requests for pages leave: to checked addresses."""

import re
from datetime import UTC, datetime
from email.utils import formatdate

from httpx2 import AsyncBaseTransport, AsyncHTTPTransport
from httpx2 import Headers as SentHeaders
from httpx2 import Request as Sent
from httpx2 import Response as Received

from errata.core.errors import PageError
from errata.tools.net.bounded import tls_context

ADDRESS = "errata_address"
"""The extension of a request that holds the IP address that its host was checked to be at."""
RETRIEVED = "x-errata-retrieved"
"""The header of a kept response that holds when its server sent it, or called it unchanged."""
OK, _UNCHANGED = 200, 304
_SAYS = re.compile(r"\b(?:max-age|no-cache|no-store)\b", re.IGNORECASE)


class CheckedTransport(AsyncBaseTransport):
    """Connects to the address that was checked, whatever the host's name leads to by now."""

    def __init__(self, hours: float | None = None) -> None:
        """For a cache, `hours` say how long a page is fresh of which its server says nothing."""
        self._inner = AsyncHTTPTransport(verify=tls_context(), trust_env=False)
        self._hours = hours

    async def handle_async_request(self, request: Sent) -> Received:
        """Send a request; its Host header and its TLS name stay those of its URL.

        Raises PageError if nobody checked its host.
        """
        address = request.extensions.get(ADDRESS)
        if not address:
            raise PageError(f"{str(request.url)!r} was not checked for a private address")
        target = request.url.copy_with(host=address)
        parts = {name: getattr(request, name) for name in ("headers", "stream", "extensions")}
        response = await self._inner.handle_async_request(Sent(request.method, target, **parts))
        if self._hours is not None:
            say_how_long(response.status_code, response.headers, int(self._hours * 3600))
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def say_how_long(status: int, headers: SentHeaders, seconds: int) -> None:
    """Have a response's headers say how long it is fresh: `seconds` where its server does not.

    Only pages are to be kept, and no cookie of theirs.
    """
    headers[RETRIEVED] = datetime.now(UTC).isoformat(timespec="seconds")
    if status not in (OK, _UNCHANGED):
        headers["cache-control"] = "no-store"
    elif status == OK:
        headers.pop("set-cookie", None)
        headers["date"] = formatdate(usegmt=True)  # with none, or a later one, it would stay new
        told = headers.get("cache-control", headers.get("pragma", ""))
        if not _SAYS.search(told) and "expires" not in headers:
            told = f"{told}, max-age={seconds}".removeprefix(", ")
        headers["cache-control"] = told
