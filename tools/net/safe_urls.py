"""Which addresses a page may come from: public ones, unless the operator says otherwise."""

import os
import socket
from asyncio import get_running_loop
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from errata.errors import PageError

_NAT64 = IPv6Network("64:ff9b::/96")
ALLOW = "ERRATA_ALLOW_PRIVATE_URLS"
"""The environment variable that lets pages come from private addresses: 1 for all, or a list."""


async def resolve_public(url: str) -> str:
    """Resolve a URL's host and give the one address to connect to.

    The caller connects to this very address, so that a second look-up cannot give another. Raises
    PageError where the scheme is not http or https, or any of the host's addresses is not public.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PageError(f"{url!r} is no http or https address")
    try:
        found = await get_running_loop().getaddrinfo(
            parts.hostname, parts.port or 0, type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError, ValueError) as error:
        raise PageError(f"the host of {url!r} was not found: {error}") from error
    addresses = [str(row[4][0]).partition("%")[0] for row in found]
    inside = [address for address in addresses if not (is_public(address) or _allowed(address))]
    if inside:
        raise PageError(
            f"{url!r} leads to {inside[0]}, which is not public; "
            f"set {ALLOW}={inside[0]} to allow it, or 1 to allow all"
        )
    return addresses[0]


def _allowed(address: str) -> bool:
    """Tell whether the operator lets pages come from an address, though it is private."""
    listed = os.environ.get(ALLOW, "").split(",")
    return "1" in listed or address in listed


def is_public(address: str) -> bool:
    """Tell whether an address is one that anybody can reach."""
    ip: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1]) or _translated(ip)
        return ip.is_global and not ip.is_multicast and (not inner or is_public(str(inner)))
    return ip.is_global and not ip.is_multicast


def _translated(ip: IPv6Address) -> IPv4Address | None:
    """Give the IPv4 address that NAT64 hides in an IPv6 one (RFC 6052)."""
    return IPv4Address(ip.packed[-4:]) if ip in _NAT64 else None
