"""API keys: random, kept as digests, shown once.

python -m errata.server.keys NAME [admin]
"""

import secrets
import sys
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from errata.errors import SettingError
from errata.server.settings import ServerSettings

PREFIX = "errata_"
ADMIN = "admin"
_FORM = "NAME:SHA256 or NAME:SHA256:admin"
Keys = dict[str, tuple[str, bool]]
"""Name and whether it is an admin's, by the key's digest."""


def digest(key: str) -> str:
    """Give what is kept of a key; a long random key needs no salt."""
    return sha256(key.encode()).hexdigest()


def create_key(name: str, *rights: str) -> tuple[str, str]:
    """Make a key, and the line that lets its holder in."""
    key = PREFIX + secrets.token_urlsafe(32)
    return key, ":".join((name, digest(key), *rights))


def key_holder(key: str, settings: ServerSettings) -> tuple[str, bool] | None:
    """Give the name of a key's holder, and whether it is an admin; None for a key we do not know.

    Raises SettingError where the operator's list cannot be read.
    """
    known = _read(settings.api_keys.get_secret_value().replace(",", "\n"), "ERRATA_API_KEYS")
    file = settings.api_keys_file
    if file:
        known = known | _file(file, file.stat().st_mtime_ns)
    return known.get(digest(key))


@lru_cache(maxsize=4)
def _file(path: Path, _: int) -> Keys:
    return _read(path.read_text(encoding="utf-8"), str(path))


@lru_cache(maxsize=4)
def _read(text: str, where: str) -> Keys:
    """Read a list of keys; what follows a # is a remark."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return dict(_entry(line, where) for line in lines if line)


def _entry(line: str, where: str) -> tuple[str, tuple[str, bool]]:
    name, _, rest = line.partition(":")
    hashed, _, right = rest.partition(":")
    if not name or len(hashed) != len(digest("")) or right not in ("", ADMIN):
        raise SettingError(f"{where} holds {name!r} with no digest; a key is given as {_FORM}")
    return hashed.lower(), (name, right == ADMIN)


def main(name: str, *rights: str) -> None:
    """Print a new key and its line."""
    key, line = create_key(name, *rights)
    sys.stdout.write(f"key, to be handed to {name} and kept nowhere: {key}\n")
    sys.stdout.write(f"line for ERRATA_API_KEYS_FILE: {line}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
