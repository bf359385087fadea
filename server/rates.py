"""How many requests and bytes a caller may send in a minute."""

from time import time

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from errata.server.callers import ANYBODY
from errata.server.guard import CALLER
from errata.server.identity import is_unlimited
from errata.server.settings import ServerSettings


class RateLimits:
    """Middleware that answers 429 to a caller's requests over the limits of a minute.

    Callers who need no key, admins, and paths that need no key have none. Counted in this process.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Limit the requests for `app` by the operator's settings."""
        self.app, self.largest = app, settings.max_body_bytes
        self._limits = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerMinute(settings.max_requests, namespace="requests")
        self._bytes = RateLimitItemPerMinute(settings.max_bytes, namespace="bytes")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429 and say when to come again."""
        caller = scope.get(CALLER, ANYBODY)
        unlimited = caller is ANYBODY or is_unlimited(caller["permissions"])
        if scope["type"] != "http" or unlimited:
            await self.app(scope, receive, send)
            return
        name, size = caller["identity"], self._size(scope)
        for limit, cost, unit in ((self._requests, 1, "requests"), (self._bytes, size, "bytes")):
            if cost and not self._limits.hit(limit, name, cost=cost):
                fault = {"detail": f"you may send {limit.amount} {unit} a minute; come back later"}
                headers = {"retry-after": str(self._seconds(limit, name))}
                await JSONResponse(fault, 429, headers)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _size(self, scope: Scope) -> int:
        """The bytes that a request announces; the most allowed if it announces none."""
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            return self.largest
        return int(headers.get(b"content-length", b"0"))

    def _seconds(self, limit: RateLimitItem, name: str) -> int:
        reset = self._limits.get_window_stats(limit, name).reset_time
        return max(1, round(reset - time()))
