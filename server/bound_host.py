"""The host that this server is bound to; a server without keys must be bound to loopback."""

import os
from ipaddress import ip_address
from urllib.parse import urlsplit

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings


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
