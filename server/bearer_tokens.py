"""JSON web tokens: checked by a shared secret, a public key, or keys published at an address."""

from asyncio import to_thread
from functools import cache
from typing import Any

import jwt

from errata.server.settings import ServerSettings

SHARED = ("HS256",)
PUBLIC = ("RS256", "ES256", "EdDSA")
SCOPE = "errata:admin"
"""What a token's `scope` must hold for its subject to be an admin."""


async def token_subject(token: str, settings: ServerSettings) -> tuple[str, bool] | None:
    """Give a token's subject and whether it is an admin; None where the token does not hold."""
    try:
        key, algorithms = await _key(token, settings)
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
    return str(claims["sub"]), SCOPE in str(claims.get("scope", "")).split()


async def _key(token: str, settings: ServerSettings) -> tuple[Any, tuple[str, ...]]:
    """Give what verifies a token, and the algorithms that go with it.

    A public key is never tried as a shared secret. Raises InvalidKeyError where none is set.
    """
    if settings.jwks_url:
        found = await to_thread(_published(settings.jwks_url).get_signing_key_from_jwt, token)
        return found.key, PUBLIC
    if settings.jwt_public_key_file:
        return await to_thread(settings.jwt_public_key_file.read_text, "utf-8"), PUBLIC
    if secret := settings.jwt_secret.get_secret_value():
        return secret, SHARED
    raise jwt.InvalidKeyError("no key is set that could verify a token")


@cache
def _published(url: str) -> jwt.PyJWKClient:
    return jwt.PyJWKClient(url)
