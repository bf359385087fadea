"""Which requests come directly from this machine, and so need no key by default."""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

STUDIO = "https://smith.langchain.com"
"""The one remote page that may call a server on loopback from a browser."""
_PROXY_HEADERS = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via")


def is_direct(scope: Mapping[str, Any], headers: Mapping[bytes, bytes]) -> bool:
    """Whether a request came over loopback, through no proxy, and from no remote page."""
    bound = urlsplit(os.environ.get("LANGGRAPH_API_URL", "")).hostname
    ends = [scope.get("server"), scope.get("client")]
    if (bound and not _is_loopback(bound)) or not all(end and _is_loopback(end[0]) for end in ends):
        return False
    host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname
    origin = headers.get(b"origin", b"").decode("latin-1")
    if origin and origin != STUDIO and not _is_loopback(urlsplit(origin).hostname or ""):
        return False
    return _is_loopback(host or "") and not any(name in headers for name in _PROXY_HEADERS)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
