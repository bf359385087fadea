"""Who a caller is, and API keys: random, printed once, stored as digests.

python -m errata.server.keys NAME [admin]
"""

import secrets
import sys
from collections.abc import Collection
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings

LOCAL = "local"
"""The right of callers who need no key: everything, without limits."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""
PREFIX = "errata_"
_FORM = "NAME:SHA256 or NAME:SHA256:admin"


class Identity(NamedTuple):
    """Whom a key or a token belongs to."""

    name: str
    admin: bool


def is_unlimited(permissions: Collection[str]) -> bool:
    """Whether a caller has no limits: one who needs no key, or an admin."""
    return LOCAL in permissions or ADMIN in permissions


Keys = dict[str, Identity]
"""Whom each key belongs to, by the key's digest."""


def digest(key: str) -> str:
    """The SHA-256 of a key, in hexadecimal; a long random key needs no salt."""
    return sha256(key.encode()).hexdigest()


def create_key(name: str, *rights: str) -> tuple[str, str]:
    """A new key, and its line for the operator's list."""
    key = PREFIX + secrets.token_urlsafe(32)
    return key, ":".join((name, digest(key), *rights))


def identify_key(key: str, settings: ServerSettings) -> Identity | None:
    """Whom a key belongs to; None for an unknown key.

    Raises SettingError if the operator's list is malformed.
    """
    keys = _parse(settings.api_keys.get_secret_value().replace(",", "\n"), "ERRATA_API_KEYS")
    file = settings.api_keys_file
    if file:
        keys = keys | _read_file(file, file.stat().st_mtime_ns)
    return keys.get(digest(key))


@lru_cache(maxsize=4)
def _read_file(path: Path, _modified: int) -> Keys:
    """The keys in a file; the time of its last change makes the cache follow the file."""
    return _parse(path.read_text(encoding="utf-8"), str(path))


@lru_cache(maxsize=4)
def _parse(text: str, source: str) -> Keys:
    """A list of keys, one a line; a # begins a comment."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return dict(_parse_line(line, source) for line in lines if line)


def _parse_line(line: str, source: str) -> tuple[str, Identity]:
    name, _, rest = line.partition(":")
    hashed, _, right = rest.partition(":")
    if not name or len(hashed) != len(digest("")) or right not in ("", ADMIN):
        raise SettingError(f"{source}: the line of {name!r} is not of the form {_FORM}")
    return hashed.lower(), Identity(name, right == ADMIN)


def main(name: str, *rights: str) -> None:
    """Print a new key and its line."""
    key, line = create_key(name, *rights)
    sys.stdout.write(f"key for {name}, shown only now: {key}\n")
    sys.stdout.write(f"line for ERRATA_API_KEYS_FILE: {line}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
