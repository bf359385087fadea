"""What comes before every route: callers, open and closed paths, web pages, limits a minute.

Every request is refused that no rule here allows.
"""

import json
import os
import re
from asyncio import to_thread
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from ipaddress import ip_address
from time import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.core.errors import SettingError
from errata.core.urls import split_url
from errata.server.keys import User, identify_caller, is_unlimited, make_user
from errata.server.rules import Refused, check_written
from errata.server.settings import ServerSettings

OPEN = ("/ok", "/")
"""The paths that need no key: they say that the server is up."""
SERVED = frozenset("assistants runs threads info docs openapi.json metrics".split())
"""The first parts of the paths that callers may use; LangGraph and our rules decide the rest."""
_CHECKED = ("/threads", "/runs")
"""How the paths begin whose bodies are looked at."""
_WAITED = ("/runs/wait", "/runs/stream")
"""The paths of runs whose result only the client that waits can have: it leaves, they end."""
CALLER = "errata.caller"
"""The entry of a request's scope that names its caller to LangGraph's auth."""
ANYBODY = make_user("anybody")
STUDIOS = ("https://smith.langchain.com", "https://eu.smith.langchain.com")
LOCAL_PAGE = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"
READABLE_HEADERS = ("content-location", "x-pagination-total", "x-pagination-next")
"""Headers of a reply that the SDK for browsers reads."""
_NO_KEY = (
    "give a valid key as x-api-key, or a bearer token; a server for yourself alone needs none if "
    "started with ERRATA_AUTH=off, as `make serve` does"
)
_FOREIGN = (
    "a server without keys answers only local pages, Studio and ERRATA_ALLOW_ORIGINS, and on "
    "loopback only under the name localhost"
)


class Guard:
    """Middleware before all routes that identifies callers, and refuses what no rule allows."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Guard `app` by the operator's settings; requests are counted in this process."""
        self.app, self.settings = app, settings
        self._open = Counter[str]()
        self._rates = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._limits = {
            "requests": RateLimitItemPerMinute(settings.max_requests, namespace="requests"),
            "bytes": RateLimitItemPerMinute(settings.max_bytes, namespace="bytes"),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an allowed request on, with its caller and its whole body; answer any other."""
        # No request from outside can set a root path: here the server's own client calls.
        internal = re.match(r"/noauth(/|\Z)", scope.get("root_path", ""))
        with ExitStack() as held:
            if scope["type"] in ("http", "websocket") and not internal:
                try:
                    receive = await self._admit(scope, receive, held)
                except Refused as refused:
                    # What is left of the body is not read: a flood of large ones would hold up all.
                    headers = {**(refused.headers or {}), "connection": "close"}
                    reply = JSONResponse({"detail": refused.detail}, refused.status_code, headers)
                    await reply(scope, receive, send)
                    return
            await self.app(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive, held: ExitStack) -> Receive:
        """Check a request, and write its caller into it; what the app is to receive of it."""
        headers = Headers(scope=scope)
        caller = scope[CALLER] = self._identify(scope, headers)
        limited = caller is not ANYBODY and not is_unlimited(caller["permissions"], self.settings)
        size = int(headers.get("content-length", 0))
        if "transfer-encoding" in headers:  # it does not say how many bytes
            size = self.settings.max_body_bytes
        if limited:
            held.enter_context(self._counted(caller["identity"]))
            self._check_rate(caller["identity"], {"requests": 1, "bytes": size})
        body = await self._read(receive, size)
        if scope["method"] in ("POST", "PUT", "PATCH") and scope["path"].startswith(_CHECKED):
            await to_thread(self._check_body, body, limited=limited)
        if limited and scope["path"] in _WAITED and b'"on_disconnect"' not in body:
            body = body.replace(b"{", b'{"on_disconnect": "cancel", ', 1)
        return partial(_replay, [body], receive)

    def _identify(self, scope: Scope, headers: Headers) -> User:
        """The caller. Raises Refused with 401, 403 or 404 if the path is not for them."""
        path = scope["path"]
        top = path.split("/")[1] if path.startswith("/") else ""
        if path in OPEN and scope["type"] == "http":
            return ANYBODY
        if scope["type"] == "websocket" or top not in SERVED:
            raise Refused(404, f"{path} is not served here")
        if self.settings.auth == "off" and is_foreign(headers, self.settings):
            raise Refused(403, _FOREIGN)
        caller = identify_caller(headers, self.settings)
        if caller is None:
            raise Refused(401, _NO_KEY)
        if top == "metrics" and not is_unlimited(caller["permissions"], self.settings):
            raise Refused(403, f"{path} is for admins")
        return caller

    @contextmanager
    def _counted(self, name: str) -> Iterator[None]:
        """Count a request until it is answered, a stream until it ends; 429 if it is too many."""
        if self._open[name] >= (most := self.settings.max_open):
            raise Refused(429, f"you may hold {most} requests open at once; close some")
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1

    def _check_rate(self, name: str, costs: Mapping[str, int]) -> None:
        """Count a request and its bytes; 429, with when to come again, if they are too many."""
        for unit, cost in costs.items():
            limit = self._limits[unit]
            if cost and not self._rates.hit(limit, name, cost=cost):
                seconds = self._rates.get_window_stats(limit, name).reset_time - time()
                fault = f"you may send {limit.amount} {unit} a minute; come back later"
                raise Refused(429, fault, {"retry-after": str(max(1, round(seconds)))})

    async def _read(self, receive: Receive, size: int) -> bytes:
        """The body of a request; 413 as soon as it is, or by `size` announces to be, too large."""
        most, body, more = self.settings.max_body_bytes, bytearray(), True
        while more and size <= most:
            message = await receive()
            body += message.get("body", b"")
            more, size = message.get("more_body", False), len(body)
        if size > most:
            raise Refused(413, f"the body is larger than {most} bytes")
        return bytes(body)

    def _check_body(self, body: bytes, *, limited: bool) -> None:
        """Refuse what a caller may not write into a state.

        LangGraph's auth does not see the values of a state edit, and would be asked about a run
        only after its input was validated at many times the cost.
        """
        try:
            request = json.loads(body) if body else {}
            for each in request if isinstance(request, list) else [request]:
                if isinstance(each, Mapping):
                    check_written(each, self.settings, limited=limited)
        except (ValueError, RecursionError) as error:
            raise Refused(422, "the body is not JSON, or nested too deeply") from error


async def _replay(bodies: list[bytes], receive: Receive) -> Message:
    """The body that was read, once; then what else the client sends."""
    if bodies:
        return {"type": "http.request", "body": bodies.pop(), "more_body": False}
    return await receive()


def build_cors(settings: ServerSettings) -> Middleware:
    """The middleware that lets local pages, Studio and the operator's origins call."""
    return Middleware(
        CORSMiddleware,
        allow_origins=(*STUDIOS, *settings.allow_origins),
        allow_origin_regex=LOCAL_PAGE,
        allow_methods=("GET", "POST", "PUT", "PATCH", "DELETE"),
        allow_headers=("*",),
        allow_credentials=True,
        allow_private_network=True,
        expose_headers=READABLE_HEADERS,
    )


def is_foreign(headers: Mapping[str, str], settings: ServerSettings) -> bool:
    """Whether a request comes from a web page that may not call a server without keys.

    Such a page names its origin. A page whose own name was made to resolve to this machine (DNS
    rebinding) may not; then the host is not loopback's, to which a server without keys is bound.
    """
    origin = headers.get("origin", "")
    known = origin in (*STUDIOS, *settings.allow_origins) or re.fullmatch(LOCAL_PAGE, origin)
    if origin and not known:
        return True
    return not is_loopback(split_url(f"//{headers.get('host', '')}").hostname or "")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_host(settings: ServerSettings) -> None:
    """Raise SettingError for a server without keys that other machines may reach."""
    # `langgraph dev` writes the variable itself, after it has read `.env`; other servers do not.
    host = split_url(os.environ.get("LANGGRAPH_API_URL", "")).hostname or ""
    if settings.auth == "off" and not is_loopback(host):
        where = f"is bound to {host}" if host else "does not say what host it is bound to"
        raise SettingError(
            f"ERRATA_AUTH=off lets everybody in, and this server {where}: start it with "
            "`langgraph dev --host 127.0.0.1`, or set ERRATA_AUTH=on (in .env too, which comes "
            "before the shell's variables) and give out keys"
        )
