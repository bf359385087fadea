"""Which requests come straight from this machine: they need no key unless the operator says so."""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

STUDIO = "https://smith.langchain.com"
"""The one page elsewhere that may call a server on loopback from a browser."""
_PROXIED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via")


def is_direct(scope: Mapping[str, Any], headers: Mapping[bytes, bytes]) -> bool:
    """Tell whether a request came over loopback, through no proxy, from no page of elsewhere."""
    bound = urlsplit(os.environ.get("LANGGRAPH_API_URL", "")).hostname
    ends = [scope.get("server"), scope.get("client")]
    if (bound and not _local(bound)) or not all(end and _local(end[0]) for end in ends):
        return False
    host = urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname
    origin = headers.get(b"origin", b"").decode("latin-1")
    at_home = not origin or origin == STUDIO or _local(urlsplit(origin).hostname or "")
    return _local(host or "") and at_home and not any(name in headers for name in _PROXIED)


def _local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
