"""Who a caller is: the owner of a key or token, or, on a server without keys, anyone.

JSON web tokens are verified by a shared secret, a public key, or keys published at a URL.
"""

from asyncio import to_thread
from collections.abc import Mapping
from functools import cache
from typing import Any

import jwt
from langgraph_sdk import Auth

from errata.server.keys import ADMIN, LOCAL, Identity, identify_key
from errata.server.settings import ServerSettings

User = Auth.types.MinimalUserDict
ANYBODY: User = {"identity": "anybody", "permissions": [], "is_authenticated": True}
"""The caller of a route that needs no key."""
SHARED = ("HS256",)
PUBLIC = ("RS256", "ES256", "EdDSA")
ADMIN_SCOPE = "errata:admin"
"""The entry in a token's `scope` that makes its subject an admin."""


async def identify_caller(headers: Mapping[bytes, bytes], settings: ServerSettings) -> User | None:
    """The caller by key or token, anyone on a server without keys; None if there is none.

    A key and a token of one name are two callers.
    """
    if settings.auth == "off":
        return _user("local", LOCAL)
    identity = await _identify(headers, settings)
    if identity is None:
        return None
    return _user(identity.name, *([ADMIN] if identity.admin else []))


async def _identify(headers: Mapping[bytes, bytes], settings: ServerSettings) -> Identity | None:
    scheme, _, bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    secret = headers.get(b"x-api-key", b"").decode("latin-1")
    token = bearer.strip() if scheme.lower() == "bearer" else ""
    key = secret or token
    if key and (identity := identify_key(key, settings)):
        return identity._replace(name=f"key:{identity.name}")
    if token and (identity := await identify_token(token, settings)):
        return identity._replace(name=f"token:{identity.name}")
    return None


def _user(name: str, *rights: str) -> User:
    return {"identity": name, "permissions": list(rights), "is_authenticated": True}


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
        return (await to_thread(client.get_signing_key_from_jwt, token)).key, PUBLIC
    if settings.jwt_public_key_file:
        return await to_thread(settings.jwt_public_key_file.read_text, "utf-8"), PUBLIC
    if secret := settings.jwt_secret.get_secret_value():
        return secret, SHARED
    raise jwt.InvalidKeyError("no key to verify tokens is set")


@cache
def _published_keys(url: str) -> jwt.PyJWKClient:
    return jwt.PyJWKClient(url)
