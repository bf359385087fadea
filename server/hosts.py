"""The host and the port that this server is bound to; without keys it must be loopback.

`make serve` asks first for its port, since `langgraph dev` takes another:
python -m errata.server.hosts PORT
"""

import errno
import os
import socket
import sys
from ipaddress import ip_address
from urllib.parse import urlsplit

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings

LOOPBACK = "127.0.0.1"
_HIGHEST = 65535


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
        with socket.create_server((LOOPBACK, int(port))):
            pass
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        fault = "is taken" if taken else f"cannot be used: {error.strerror}"
        advice = "stop what listens there, or choose another port" if taken else "choose another"
        raise SettingError(f"port {port} {fault}; {advice}: make serve PORT=NUMBER") from error


def main(*arguments: str) -> int:
    """Check the port that the command line names; the exit code."""
    try:
        check_port(*arguments)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
