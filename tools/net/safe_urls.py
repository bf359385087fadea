"""Protection from requests to private addresses: only public hosts, unless allowed."""

import os
import socket
from asyncio import get_running_loop
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address
from urllib.parse import urlsplit

from errata.core.errors import PageError

_NAT64 = IPv6Network("64:ff9b::/96")
"""What an IPv4 address is embedded in, at the end (RFC 6052)."""
_GLOBAL_UNICAST = IPv6Network("2000::/3")
# Older releases of the ipaddress module call these global.
_SPECIAL_IPV4 = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
_SPECIAL_IPV6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
ALLOW = "ERRATA_ALLOW_PRIVATE_URLS"
"""Environment variable that allows private addresses: 1 for all, or a comma-separated list."""


async def resolve_public(url: str) -> str:
    """The IP address to connect to for a URL.

    Connect to this very address: a second look-up may resolve to another (DNS rebinding). Raises
    PageError if the scheme is not http or https, the host is unknown, or any of its addresses is
    not public; whether a name is known, and as what address, the message does not reveal.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 0
    except ValueError as error:  # a bracket without its other, or a port over 65535
        raise PageError(f"{url!r} is not an http or https address: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise PageError(f"{url!r} is not an http or https address")
    try:
        rows = await get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        rows = []  # the host is unknown
    addresses = [str(row[4][0]).partition("%")[0] for row in rows]
    allowed = os.environ.get(ALLOW, "").split(",")
    if addresses and all(is_public(a) or "1" in allowed or a in allowed for a in addresses):
        return addresses[0]
    try:
        ip_address(host)
    except ValueError:  # of a name the same is said in every case
        raise PageError(
            f"{url!r} leads nowhere public: its host is unknown, or at an address which is not "
            f"public; set {ALLOW} to that address to allow it, or to 1 to allow all"
        ) from None
    raise PageError(
        f"{url!r} leads to {host}, which is not public; "
        f"set {ALLOW}={host} to allow it, or 1 to allow all"
    )


def is_public(address: str) -> bool:
    """Whether an IP address is publicly reachable, including any IPv4 address embedded in it."""
    ip = ip_address(address)
    if isinstance(ip, IPv4Address):
        return _is_global_ipv4(ip)
    if inner := IPv4Address(ip.packed[-4:]) if ip in _NAT64 else ip.ipv4_mapped:
        return _is_global_ipv4(inner)
    return (
        ip.is_global
        and ip in _GLOBAL_UNICAST
        and not any(ip in network for network in _SPECIAL_IPV6)
        and (ip.sixtofour is None or _is_global_ipv4(ip.sixtofour))
    )


def _is_global_ipv4(ip: IPv4Address) -> bool:
    special = ip.is_multicast or any(ip in network for network in _SPECIAL_IPV4)
    return ip.is_global and not special
