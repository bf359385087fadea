"""Who a caller is: the owner of a key, or, on a server without keys, anyone.

Keys are random, printed once by `python -m errata.server.keys NAME [admin]`, and stored as digests.
"""

import logging
import secrets
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from langgraph_sdk import Auth

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings

User = Auth.types.MinimalUserDict
LOCAL = "local"
"""The name of callers who need no key; a key's owner is called `key:NAME`."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""
_LOG = logging.getLogger(__name__)
_lists: dict[Path, tuple[int, Mapping[str, User]]] = {}
"""When each file of keys was changed, and the last owners that could be read from it."""


def make_user(name: str, *rights: str) -> User:
    """A caller as LangGraph's auth knows one."""
    return {"identity": name, "permissions": list(rights), "is_authenticated": True}


def is_unlimited(rights: Collection[str], settings: ServerSettings) -> bool:
    """Whether a caller may do everything: an admin, or anyone on a server without keys."""
    # Not by a right of theirs: a run that a cron starts comes without its caller's.
    return settings.auth == "off" or ADMIN in rights


def identify_caller(headers: Mapping[str, str], settings: ServerSettings) -> User | None:
    """The caller by key, anyone on a server without keys; None if there is none."""
    if settings.auth == "off":
        return make_user(LOCAL)
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    key = headers.get("x-api-key") or (bearer.strip() if scheme.lower() == "bearer" else "")
    if not key or settings.api_keys_file is None:
        return None
    return _read_owners(settings.api_keys_file).get(digest(key))


def digest(key: str) -> str:
    """The SHA-256 of a key, in hexadecimal; a long random key needs no salt."""
    return sha256(key.encode()).hexdigest()


def create_key(name: str, *rights: str) -> tuple[str, str]:
    """A new key, and its line for the operator's list."""
    key = f"errata_{secrets.token_urlsafe(32)}"
    return key, ":".join((name, digest(key), *rights))


def _read_owners(path: Path) -> Mapping[str, User]:
    """The owner of each key by its digest.

    A list is taken whole or not at all: where its change left it unreadable, which is logged once,
    the last that could be read counts.
    """
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
    return owners


def _parse(text: str, source: str) -> Mapping[str, User]:
    """Read a list of one key a line; a # begins a comment."""
    owners = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if entry := line.partition("#")[0].strip():
            name, _, rest = entry.partition(":")
            hashed, _, right = rest.partition(":")
            if not name or len(hashed) != len(digest("")) or right not in ("", ADMIN):
                form = "NAME:SHA256 or NAME:SHA256:admin"
                raise SettingError(f"{source}, line {number}: not of the form {form}")
            owners[hashed.lower()] = make_user(f"key:{name}", *right.split())
    return owners


if __name__ == "__main__":
    key, line = create_key(*sys.argv[1:])
    sys.stdout.write(f"key for {sys.argv[1]}, shown only now: {key}\n")
    sys.stdout.write(f"line for ERRATA_API_KEYS_FILE: {line}\n")
