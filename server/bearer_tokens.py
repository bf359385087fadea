"""JSON web tokens: verified by a shared secret, a public key, or keys published at a URL."""

from asyncio import to_thread
from functools import cache
from typing import Any

import jwt

from errata.server.identity import Identity
from errata.server.settings import ServerSettings

SHARED = ("HS256",)
PUBLIC = ("RS256", "ES256", "EdDSA")
ADMIN_SCOPE = "errata:admin"
"""The entry in a token's `scope` that makes its subject an admin."""


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
