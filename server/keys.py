"""Who a caller is: the owner of a key or token, or, on a server without keys, anyone.

Keys are random, printed once by `python -m errata.server.keys NAME [admin]`, and stored as digests.
JSON web tokens are verified by a shared secret, a public key, or keys published at a URL.
"""

import secrets
import sys
from asyncio import to_thread
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import jwt
from langgraph_sdk import Auth

from errata.core.errors import SettingError
from errata.server.settings import ServerSettings

User = Auth.types.MinimalUserDict
LOCAL = "local"
"""The right of callers who need no key: everything, without limits."""
ADMIN = "admin"
"""The right of admins: everyone's data, any setting, no limit on runs."""
ANYBODY: User = {"identity": "anybody", "permissions": [], "is_authenticated": True}
"""The caller of a route that needs no key."""
PREFIX = "errata_"
_FORM = "NAME:SHA256 or NAME:SHA256:admin"
_SHARED = ("HS256",)
_PUBLIC = ("RS256", "ES256", "EdDSA")
ADMIN_SCOPE = "errata:admin"
"""The entry in a token's `scope` that makes its subject an admin."""


class Identity(NamedTuple):
    """Whom a key or a token belongs to."""

    name: str
    admin: bool


Keys = dict[str, Identity]
"""Whom each key belongs to, by the key's digest."""


def is_unlimited(permissions: Collection[str]) -> bool:
    """Whether a caller has no limits: one who needs no key, or an admin."""
    return LOCAL in permissions or ADMIN in permissions


async def identify_caller(headers: Mapping[bytes, bytes], settings: ServerSettings) -> User | None:
    """The caller by key or token, anyone on a server without keys; None if there is none.

    A key and a token of one name are two callers.
    """
    if settings.auth == "off":
        return _user("local", LOCAL)
    scheme, _, bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    secret = headers.get(b"x-api-key", b"").decode("latin-1")
    token = bearer.strip() if scheme.lower() == "bearer" else ""
    key = secret or token
    if key and (owner := identify_key(key, settings)):
        return _user(f"key:{owner.name}", *([ADMIN] if owner.admin else []))
    if token and (owner := await identify_token(token, settings)):
        return _user(f"token:{owner.name}", *([ADMIN] if owner.admin else []))
    return None


def _user(name: str, *rights: str) -> User:
    return {"identity": name, "permissions": list(rights), "is_authenticated": True}


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


async def identify_token(token: str, settings: ServerSettings) -> Identity | None:
    """A token's subject; None if the token is invalid."""
    try:
        key, algorithms = await _find_verification_key(token, settings)
        claims = jwt.decode(
            token,
            key,
            algorithms=list(algorithms),
            audience=settings.jwt_audience or None,
            issuer=settings.jwt_issuer or None,
            options={"require": ["exp", "sub"], "verify_aud": bool(settings.jwt_audience)},
        )
    except jwt.PyJWTError:
        return None
    scopes = str(claims.get("scope", "")).split()
    return Identity(str(claims["sub"]), ADMIN_SCOPE in scopes)


async def _find_verification_key(
    token: str, settings: ServerSettings
) -> tuple[Any, tuple[str, ...]]:
    """The key that verifies a token, and the algorithms that it may be used with.

    A public key is never used as a shared secret. Raises InvalidKeyError if no key is set.
    """
    if settings.jwks_url:
        client = _published_keys(settings.jwks_url)
        return (await to_thread(client.get_signing_key_from_jwt, token)).key, _PUBLIC
    if settings.jwt_public_key_file:
        return await to_thread(settings.jwt_public_key_file.read_text, "utf-8"), _PUBLIC
    if secret := settings.jwt_secret.get_secret_value():
        return secret, _SHARED
    raise jwt.InvalidKeyError("no key to verify tokens is set")


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
