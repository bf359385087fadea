"""Where the server may listen, which routes it has, and which web pages may call it.

Every request is refused that no rule here allows. `make serve` asks first for its port, since
`langgraph dev` takes another: python -m errata.server.guard PORT
"""

import errno
import os
import re
import socket
import sys
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from errata.core.errors import SettingError
from errata.server.keys import ANYBODY, identify_caller, is_unlimited
from errata.server.settings import ServerSettings

LOOPBACK = "127.0.0.1"
_HIGHEST = 65535
HEALTH = "/health"
OPEN = (HEALTH, "/ok", "/")
"""The paths that need no key: they only say that the server is up."""
SERVED = frozenset(
    "assistants runs threads store mcp a2a .well-known info docs openapi.json".split()
)
"""The first parts of the paths that callers may use; LangGraph and our rules decide the rest."""
FOR_ADMINS = frozenset({"metrics"})
CALLER = "errata.caller"
"""The entry of a request's scope that names its caller to LangGraph's auth."""
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
    """Middleware that identifies callers and answers 401, 403 or 404 to what no rule allows.

    It comes before all routes, also those that LangGraph serves without auth.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Guard `app` by the operator's settings."""
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an allowed request on, with its caller; answer any other."""
        if scope["type"] in ("http", "websocket") and not _is_internal(scope):
            status, fault = await self._check(scope)
            if fault:
                await JSONResponse({"detail": fault}, status)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    async def _check(self, scope: Scope) -> tuple[int, str]:
        """The status and the fault of a request; no fault if it is allowed."""
        path, headers = scope["path"], dict(scope["headers"])
        top = path.split("/")[1] if path.startswith("/") else ""
        scope[CALLER] = ANYBODY
        if path in OPEN:
            return 200, ""
        if top not in SERVED | FOR_ADMINS:
            return 404, f"{path} is not served here"
        if self.settings.auth == "off" and is_foreign(headers, self.settings):
            return 403, _FOREIGN
        caller = await identify_caller(headers, self.settings)
        if caller is None:
            return 401, _NO_KEY
        if top in FOR_ADMINS and not is_unlimited(caller["permissions"]):
            return 403, f"{path} is for admins"
        scope[CALLER] = caller
        return 200, ""


def _is_internal(scope: Scope) -> bool:
    """Whether the server's own client calls; no request from outside can set a root path."""
    root = scope.get("root_path", "")
    return bool(root == "/noauth" or root.startswith("/noauth/"))


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


def is_foreign(headers: Mapping[bytes, bytes], settings: ServerSettings) -> bool:
    """Whether a request comes from a web page that may not call a server without keys.

    Such a page names its origin. A page whose own name was made to resolve to this machine (DNS
    rebinding) may not; then the host is not the one that a server on loopback is bound to.
    """
    origin = headers.get(b"origin", b"").decode("latin-1")
    known = origin in (*STUDIOS, *settings.allow_origins) or re.fullmatch(LOCAL_PAGE, origin)
    if origin and not known:
        return True
    host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname or ""
    return is_loopback(bound_host()) and not is_loopback(host)


def bound_host() -> str:
    """The host that `langgraph dev` was started with; empty under any other server.

    It writes the variable itself, after it has read `.env`.
    """
    return urlsplit(os.environ.get("LANGGRAPH_API_URL", "")).hostname or ""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_host(settings: ServerSettings) -> None:
    """Refuse to serve without keys where other machines may reach the server.

    Raises SettingError.
    """
    host = bound_host()
    if settings.auth == "off" and not is_loopback(host):
        where = f"is bound to {host}" if host else "does not say what host it is bound to"
        raise SettingError(
            f"ERRATA_AUTH=off lets everybody in, and this server {where}: start it with "
            "`langgraph dev --host 127.0.0.1`, or set ERRATA_AUTH=on (in .env too, which comes "
            "before the shell's variables) and give out keys"
        )


def check_port(port: str) -> None:
    """Raise SettingError if no server can listen on a port of loopback, and say what to do."""
    if not port.isdecimal() or not 0 < int(port) <= _HIGHEST:
        raise SettingError(f"PORT={port} is not a port; choose a number from 1 to {_HIGHEST}")
    try:
        socket.create_server((LOOPBACK, int(port))).close()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        fault = "is taken" if taken else f"cannot be used: {error.strerror}"
        advice = "stop what listens there, or choose another port" if taken else "choose another"
        raise SettingError(f"port {port} {fault}; {advice}: make serve PORT=NUMBER") from error


if __name__ == "__main__":
    try:
        check_port(sys.argv[1])
    except SettingError as fault:
        sys.exit(str(fault))
