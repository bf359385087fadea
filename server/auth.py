"""Who may ask, and whose things are whose."""

from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from errata.errors import InputError
from errata.server.bearer_tokens import token_subject
from errata.server.keys import key_holder
from errata.server.limits import ADMIN, LOCAL, admit, check_length
from errata.server.loopback import is_direct
from errata.server.policy import refusal
from errata.server.settings import settings

HEALTH = "/health"
OWNER, SHARED, YES, MAKER = "owner", "shared", "yes", "created_by"
"""What the metadata of a thing says: whose it is, whether all may use it, what made it."""
auth = Auth()
HTTPError = Auth.exceptions.HTTPException
Context = Auth.types.AuthContext
Value = dict[str, Any]


@auth.authenticate
async def authenticate(
    path: str, scope: dict[str, Any], headers: dict[bytes, bytes]
) -> Auth.types.MinimalUserDict:
    """Let in who holds a key or a token, and direct callers on loopback."""
    rule = settings().auth
    if rule == "off" or (rule == "auto" and is_direct(scope, headers)):
        return _user("loopback", LOCAL)
    if path == HEALTH:
        return _user("anybody")
    found = await _holder(headers)
    if found is None:
        raise HTTPError(status_code=401, detail="give a valid key as x-api-key, or a bearer token")
    name, admin = found
    return _user(name, *([ADMIN] if admin else []))


async def _holder(headers: Mapping[bytes, bytes]) -> tuple[str, bool] | None:
    """Give the name of whoever a request's key or token belongs to; a kind of name for each."""
    scheme, _, bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    secret = headers.get(b"x-api-key", b"").decode("latin-1")
    token = bearer.strip() if scheme.lower() == "bearer" else ""
    key = secret or token
    if key and (found := key_holder(key, settings())):
        return f"key:{found[0]}", found[1]
    if token and (found := await token_subject(token, settings())):
        return f"token:{found[0]}", found[1]
    return None


def _user(name: str, *rights: str) -> Auth.types.MinimalUserDict:
    return {"identity": name, "permissions": list(rights), "is_authenticated": True}


def _free(ctx: Context) -> bool:
    """Tell whether nothing is kept from a caller: nobody needs a key, or an admin asks."""
    return bool({LOCAL, ADMIN} & set(ctx.permissions))


@auth.on
async def everything_else(ctx: Context, value: Value) -> bool:  # noqa: ARG001  the server passes it
    """Keep from callers what no rule below speaks of."""
    return _free(ctx)


@auth.on.threads
async def threads(ctx: Context, value: Value) -> Any:
    """Keep threads and their runs to their owner."""
    return _owned(ctx, value)


@auth.on.threads.create_run
async def runs(ctx: Context, value: Any) -> Any:
    """Hold a run to the operator's limits and to what callers may name."""
    if not _free(ctx):
        asked = value["kwargs"]
        _held(asked)
        try:
            check_length(asked, settings())
        except InputError as error:
            raise HTTPError(status_code=413, detail=str(error)) from error
        if not await admit(ctx.user.identity, OWNER, settings()):
            limit = f"{settings().max_runs} runs of yours are under way; wait for one to end"
            raise HTTPError(status_code=429, detail=limit)
    return _owned(ctx, value)


@auth.on.assistants
async def assistants(ctx: Context, value: Value) -> Any:  # noqa: ARG001  the server passes it
    """Show the graphs' own assistants, shared ones, and the caller's."""
    if _free(ctx):
        return None
    return {"$or": [{OWNER: ctx.user.identity}, {MAKER: "system"}, {SHARED: YES}]}


@auth.on.assistants(actions=["create", "update", "delete"])
async def own_assistants(ctx: Context, value: Any) -> Any:
    """Let callers make assistants of their own, by settings that they may have."""
    if not _free(ctx):
        _held(value)
        for name in (SHARED, MAKER):
            (value.get("metadata") or {}).pop(name, None)
    return _owned(ctx, value)


@auth.on.crons
async def crons(ctx: Context, value: Value) -> Any:
    """Hold what runs by the clock to the same rules."""
    payload = value.get("payload") or {}
    if not _free(ctx):
        _held(payload)
    if payload:
        _owned(ctx, payload)
    return _owned(ctx, value)


@auth.on.store
async def store(ctx: Context, value: Value) -> None:
    """Put a caller's items under their name, and look for them there."""
    if not _free(ctx):
        named = tuple(value.get("namespace") or ())
        mine = ctx.user.identity
        value["namespace"] = named if named[:1] == (mine,) else (mine, *named)


def _owned(ctx: Context, value: Value) -> Any:
    """Mark what is made as the caller's, and show only what is."""
    if LOCAL in ctx.permissions:
        return None
    mine = {OWNER: ctx.user.identity}
    if "metadata" in value:
        value["metadata"] = value["metadata"] if value["metadata"] is not None else {}
        value["metadata"].update(mine)
    return None if ADMIN in ctx.permissions else mine


def _held(asked: Mapping[str, Any]) -> None:
    """Refuse settings and addresses that the operator keeps."""
    configurable = (asked.get("config") or {}).get("configurable") or {}
    fault = refusal({**configurable, **(asked.get("context") or {})}, settings())
    if not fault and asked.get("webhook") and not settings().allow_webhooks:
        fault = "webhooks are not allowed here"
    if fault:
        raise HTTPError(status_code=403, detail=fault)
