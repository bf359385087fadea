"""Who a caller is: the owner of a key or token, or, on a server without keys, anyone."""

from collections.abc import Mapping

from langgraph_sdk import Auth

from errata.server.bearer_tokens import identify_token
from errata.server.identity import ADMIN, LOCAL, Identity
from errata.server.keys import identify_key
from errata.server.settings import ServerSettings

User = Auth.types.MinimalUserDict
ANYBODY: User = {"identity": "anybody", "permissions": [], "is_authenticated": True}
"""The caller of a route that needs no key."""


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
