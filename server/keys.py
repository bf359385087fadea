"""Who a caller is: the owner of a key, or, on a server without keys, anyone.

Keys are random, printed once by `python -m errata.server.keys NAME [admin]`, and stored as digests.
"""

import logging
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from langgraph_sdk import Auth

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings

User = Auth.types.MinimalUserDict
LOCAL = "local"
"""The right of callers who need no key: everything, without limits."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""
_LOG = logging.getLogger(__name__)
_FORM = "NAME:SHA256 or NAME:SHA256:admin"
_lists: dict[Path, tuple[int, Mapping[str, User]]] = {}
"""When each file of keys was changed, and the last owners that could be read from it."""


def make_user(name: str, *rights: str) -> User:
    """A caller as LangGraph's auth knows one."""
    return {"identity": name, "permissions": list(rights), "is_authenticated": True}


def identify_caller(headers: Mapping[bytes, bytes], settings: ServerSettings) -> User | None:
    """The caller by key, anyone on a server without keys; None if there is none."""
    if settings.auth == "off":
        return make_user(LOCAL, LOCAL)
    scheme, _, bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    key = headers.get(b"x-api-key", b"").decode("latin-1")
    key = key or (bearer.strip() if scheme.lower() == "bearer" else "")
    return identify_key(key, settings) if key else None


def digest(key: str) -> str:
    """The SHA-256 of a key, in hexadecimal; a long random key needs no salt."""
    return sha256(key.encode()).hexdigest()


def create_key(name: str, *rights: str) -> tuple[str, str]:
    """A new key, and its line for the operator's list."""
    key = f"errata_{secrets.token_urlsafe(32)}"
    return key, ":".join((name, digest(key), *rights))


def identify_key(key: str, settings: ServerSettings) -> User | None:
    """The owner of a key; None for an unknown key.

    A list is taken whole or not at all: where its change left it unreadable, which is logged once,
    the last that could be read counts.
    """
    if not (path := settings.api_keys_file):
        return None
    before, owners = _lists.get(path, (-1, {}))
    changed = 0
    with suppress(OSError):
        changed = path.stat().st_mtime_ns
    if changed != before:
        try:
            owners = _parse(path.read_text(encoding="utf-8"), str(path))
        except (OSError, ValueError) as error:
            _LOG.error("%s; the keys that were read before it stay valid", error)
        _lists[path] = changed, owners
    return owners.get(digest(key))


def _parse(text: str, source: str) -> Mapping[str, User]:
    """The owner of each key by its digest, from a list of one a line; a # begins a comment."""
    owners = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if entry := line.partition("#")[0].strip():
            name, _, rest = entry.partition(":")
            hashed, _, right = rest.partition(":")
            if not name or len(hashed) != len(digest("")) or right not in ("", ADMIN):
                raise SettingError(f"{source}, line {number}: not of the form {_FORM}")
            owners[hashed.lower()] = make_user(f"key:{name}", *filter(None, [right]))
    return owners


if __name__ == "__main__":
    key, line = create_key(*sys.argv[1:])
    sys.stdout.write(f"key for {sys.argv[1]}, shown only now: {key}\n")
    sys.stdout.write(f"line for ERRATA_API_KEYS_FILE: {line}\n")
