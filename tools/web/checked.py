"""How requests for pages leave: to the address that was checked, and no other."""

from httpx2 import AsyncBaseTransport, AsyncHTTPTransport, Request, Response

from errata.core.errors import PageError
from errata.tools.net.bounded import tls_context

ADDRESS = "errata_address"
"""The extension of a request that holds the IP address that its host was checked to be at."""
RETRIEVED = "x-errata-retrieved"
"""The header of a kept response that holds when its server sent it, or called it unchanged."""


class CheckedTransport(AsyncBaseTransport):
    """Connects to the address that was checked, whatever the host's name leads to by now."""

    def __init__(self) -> None:
        """No connection is open yet."""
        self._inner = AsyncHTTPTransport(verify=tls_context(), trust_env=False)

    async def handle_async_request(self, request: Request) -> Response:
        """Send a request; its Host header and its TLS name stay those of its URL.

        Raises PageError if nobody checked its host.
        """
        address = request.extensions.get(ADDRESS)
        if not address:
            raise PageError(f"{str(request.url)!r} was not checked for a private address")
        target = request.url.copy_with(host=address)
        return await self._inner.handle_async_request(
            Request(
                request.method,
                target,
                headers=request.headers,
                stream=request.stream,
                extensions=request.extensions,
            )
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()
