"""Which web pages may call the server from a browser."""

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from errata.server.settings import ServerSettings

STUDIOS = ("https://smith.langchain.com", "https://eu.smith.langchain.com")
LOCAL_PAGE = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"
READABLE_HEADERS = ("content-location", "x-pagination-total", "x-pagination-next")
"""Headers of a reply that the SDK for browsers reads."""


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
    bound = urlsplit(os.environ.get("LANGGRAPH_API_URL", "")).hostname or ""
    host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname or ""
    return _is_loopback(bound) and not _is_loopback(host)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
