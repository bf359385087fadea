"""Whether a server can have its port: `make serve` asks first, since `langgraph dev` takes another.

python -m errata.server.ports PORT
"""

import errno
import socket
import sys

from errata.core.errors import SettingError

LOOPBACK = "127.0.0.1"
_HIGHEST = 65535


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
