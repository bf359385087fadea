"""Who a caller is: the owner of a key or token, or, on a server without keys, anyone.

Keys are random, printed once by `python -m errata.server.keys NAME [admin]`, and stored as digests.
JSON web tokens are verified by a shared secret, a public key, or keys published at a URL.
"""

import logging
import secrets
import sys
from asyncio import to_thread
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import jwt
from langgraph_sdk import Auth

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings

User = Auth.types.MinimalUserDict
LOCAL = "local"
"""The right of callers who need no key: everything, without limits."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""
ADMIN_SCOPE = "errata:admin"
"""The entry in a token's `scope` that makes its subject an admin."""
_LOG = logging.getLogger(__name__)
_FORM = "NAME:SHA256 or NAME:SHA256:admin"
_PUBLIC = ["RS256", "ES256", "EdDSA"]
_lists: dict[Path, tuple[int, Mapping[str, User]]] = {}
"""When each file of keys was changed, and the last owners that could be read from it."""


def make_user(name: str, *rights: str) -> User:
    """A caller as LangGraph's auth knows one."""
    return {"identity": name, "permissions": list(rights), "is_authenticated": True}


async def identify_caller(headers: Mapping[bytes, bytes], settings: ServerSettings) -> User | None:
    """The caller by key or token, anyone on a server without keys; None if there is none.

    A key and a token of one name are two callers. Raises SettingError if ERRATA_API_KEYS is
    malformed.
    """
    if settings.auth == "off":
        return make_user(LOCAL, LOCAL)
    scheme, _, bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else ""
    key = headers.get(b"x-api-key", b"").decode("latin-1") or token
    if key and (owner := identify_key(key, settings)):
        return owner
    return await identify_token(token, settings) if token else None


def digest(key: str) -> str:
    """The SHA-256 of a key, in hexadecimal; a long random key needs no salt."""
    return sha256(key.encode()).hexdigest()


def create_key(name: str, *rights: str) -> tuple[str, str]:
    """A new key, and its line for the operator's list."""
    key = f"errata_{secrets.token_urlsafe(32)}"
    return key, ":".join((name, digest(key), *rights))


def identify_key(key: str, settings: ServerSettings) -> User | None:
    """The owner of a key; None for an unknown key."""
    listed = settings.api_keys.get_secret_value().replace(",", "\n")
    owners = _parse(listed, "ERRATA_API_KEYS")
    if file := settings.api_keys_file:
        owners = {**owners, **_read_file(file)}
    return owners.get(digest(key))


def _read_file(path: Path) -> Mapping[str, User]:
    """The owners in a file; the last that could be read where its change left it unreadable.

    A list is taken whole or not at all, and what is wrong is logged once.
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


@lru_cache(maxsize=4)
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


async def identify_token(token: str, settings: ServerSettings) -> User | None:
    """A token's subject; None if the token is invalid, or no key to verify tokens is set.

    A public key is never used as a shared secret.
    """
    key: Any = settings.jwt_secret.get_secret_value()
    algorithms = ["HS256"]
    try:
        if settings.jwks_url:
            client = _published_keys(settings.jwks_url)
            key = (await to_thread(client.get_signing_key_from_jwt, token)).key
            algorithms = _PUBLIC
        elif file := settings.jwt_public_key_file:
            key, algorithms = await to_thread(file.read_text, "utf-8"), _PUBLIC
        if not key:
            return None
        claims = jwt.decode(
            token,
            key,
            algorithms=algorithms,
            audience=settings.jwt_audience or None,
            issuer=settings.jwt_issuer or None,
            options={"require": ["exp", "sub"], "verify_aud": bool(settings.jwt_audience)},
        )
    except jwt.PyJWTError:
        return None
    if not claims["sub"].strip():
        return None
    is_admin = ADMIN_SCOPE in str(claims.get("scope", "")).split()
    return make_user(f"token:{claims['sub']}", *([ADMIN] if is_admin else []))


@cache
def _published_keys(url: str) -> jwt.PyJWKClient:
    return jwt.PyJWKClient(url)


def main(name: str, *rights: str) -> None:
    """Print a new key and its line."""
    key, line = create_key(name, *rights)
    sys.stdout.write(f"key for {name}, shown only now: {key}\n")
    sys.stdout.write(f"line for ERRATA_API_KEYS_FILE: {line}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
