"""Which web pages may call the server from a browser."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from errata.server.bound_host import bound_host, is_loopback
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
    host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname or ""
    return is_loopback(bound_host()) and not is_loopback(host)
