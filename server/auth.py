"""What each caller may see, create and set."""

from asyncio import to_thread
from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from errata.core.errors import InputError
from errata.server.guard import CALLER
from errata.server.keys import ADMIN, LOCAL, User
from errata.server.limits import admit_run, check_length
from errata.server.policy import (
    add_operators_choice,
    find_assistant,
    refusal,
    state_refusal,
    unknown_fault,
)
from errata.server.settings import settings

OWNER, SHARED, CREATOR = "owner", "shared", "created_by"
"""Metadata of threads and assistants: the owner, "yes" if all may use it, what created it."""
auth = Auth()
HTTPError = Auth.exceptions.HTTPException
Context = Auth.types.AuthContext
Value = dict[str, Any]


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> User:
    """The caller whom the guard identified. Raises HTTPError 401 if the guard did not run."""
    caller: User | None = scope.get(CALLER)
    if caller is None:
        raise HTTPError(status_code=401, detail="no caller was identified")
    return caller


def _is_unlimited(ctx: Context) -> bool:
    """Whether a caller may do everything: an admin, or one who needs no key."""
    return _is_local(ctx) or ADMIN in ctx.permissions


def _is_local(ctx: Context) -> bool:
    """Whether a caller needs no key; a run that a cron starts comes without its caller's rights."""
    return LOCAL in ctx.permissions or settings().auth == "off"


@auth.on
async def authorize_other(ctx: Context, value: Value) -> bool:  # noqa: ARG001  the server passes it
    """Deny by default: only admins, and callers who need no key, may do what no rule names."""
    return _is_unlimited(ctx)


@auth.on.threads
async def authorize_threads(ctx: Context, value: Value) -> Any:
    """Only their owner may see and change threads and their runs."""
    return _restrict_to_owner(ctx, value)


@auth.on.threads.create_run
async def authorize_run(ctx: Context, value: Any) -> Any:
    """A run must keep to the settings that callers may set, and to their limits.

    Where it and its assistant choose no model, corpus or search, it gets the operator's.

    Raises HTTPError: 403 or 422 for a setting, 413 for the length, 429 for the number of runs.
    """
    request = value["kwargs"]
    assistant = await find_assistant(value["assistant_id"])
    await to_thread(_check_names, assistant, request, assistant)
    if not _is_unlimited(ctx):
        await to_thread(_check_request, request)
        if not await admit_run(ctx.user.identity, OWNER, settings()):
            fault = f"{settings().max_runs} runs of yours are under way; wait for one to end"
            raise HTTPError(status_code=429, detail=fault)
    add_operators_choice(request, assistant, settings())
    return _restrict_to_owner(ctx, value)


@auth.on.assistants
async def show_assistants(ctx: Context, value: Value) -> Any:  # noqa: ARG001  the server passes it
    """Callers see the graphs' own assistants, shared ones, and their own."""
    if _is_unlimited(ctx):
        return None
    return {"$or": [{OWNER: ctx.user.identity}, {CREATOR: "system"}, {SHARED: "yes"}]}


@auth.on.assistants(actions=["create", "update", "delete"])
async def authorize_own_assistant(ctx: Context, value: Any) -> Any:
    """Callers change only their own assistants, and cannot share them.

    Raises HTTPError: 403 for a setting that they may not set, 422 for one that does not exist.
    """
    assistant = await find_assistant(value.get("graph_id") or value["assistant_id"])
    await to_thread(_check_names, assistant, value)
    if not _is_unlimited(ctx):
        _check_settings(value)
        for name in (SHARED, CREATOR):
            (value.get("metadata") or {}).pop(name, None)
    return _restrict_to_owner(ctx, value)


@auth.on.crons
async def authorize_crons(ctx: Context, value: Value) -> Any:
    """Scheduled runs keep to the same settings and belong to their owner.

    Raises HTTPError: 403 or 422 for a setting, 413 for the length.
    """
    payload = value.get("payload") or {}
    await to_thread(_check_names, await find_assistant(payload.get("assistant_id")), payload)
    if not _is_unlimited(ctx):
        await to_thread(_check_request, payload)
    if payload:
        _restrict_to_owner(ctx, payload)
    return _restrict_to_owner(ctx, value)


@auth.on.store
async def authorize_store(ctx: Context, value: Value) -> None:
    """Callers read and write only items whose namespace begins with their own name."""
    if not _is_unlimited(ctx):
        namespace = tuple(value.get("namespace") or ())
        name = ctx.user.identity
        value["namespace"] = namespace if namespace[:1] == (name,) else (name, *namespace)


def _restrict_to_owner(ctx: Context, value: Value) -> Any:
    """Write the owner into the metadata of `value`; the filter that shows only what they own.

    Admins own what they create but see everything; callers who need no key own nothing.
    """
    if _is_local(ctx):
        return None
    owner = {OWNER: ctx.user.identity}
    if "metadata" in value:
        value["metadata"] = value["metadata"] if value["metadata"] is not None else {}
        value["metadata"].update(owner)
    return None if ADMIN in ctx.permissions else owner


def _check_names(assistant: Mapping[str, Any], *requests: Mapping[str, Any]) -> None:
    """Refuse settings that an assistant's graph does not have. Raises HTTPError 422."""
    if fault := unknown_fault(assistant.get("graph_id", ""), *requests):
        raise HTTPError(status_code=422, detail=fault)


def _check_request(request: Mapping[str, Any]) -> None:
    """Refuse a run's settings or input. Raises HTTPError: 403 for what it sets, 413 for length."""
    _check_settings(request)
    if fault := state_refusal(request):
        raise HTTPError(status_code=403, detail=fault)
    try:
        check_length(request, settings())
    except InputError as error:
        raise HTTPError(status_code=413, detail=str(error)) from error


def _check_settings(request: Mapping[str, Any]) -> None:
    """Refuse settings and webhooks that the operator does not allow callers.

    Raises HTTPError 403.
    """
    configurable = (request.get("config") or {}).get("configurable") or {}
    context = request.get("context") or {}
    fault = refusal(configurable, settings()) or refusal(context, settings())
    if not fault and request.get("webhook") and not settings().allow_webhooks:
        fault = "webhooks are not allowed here"
    if fault:
        raise HTTPError(status_code=403, detail=fault)
