"""What each caller may see, create and set."""

from asyncio import sleep, to_thread
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from time import monotonic
from typing import Any
from uuid import UUID

from langgraph_sdk import Auth
from langgraph_sdk.errors import NotFoundError

from errata.methods import METHODS
from errata.server.guard import CALLER
from errata.server.keys import ADMIN, User, is_unlimited
from errata.server.rules import OPERATORS, Refused, check_settings, check_values, check_written
from errata.server.settings import max_runs, places, server_client, settings

OWNER, SHARED, CREATOR = "owner", "shared", "created_by"
"""Metadata of threads and assistants: the owner, "yes" if all may use it, what created it."""
BUSY_AFTER = 0.25
"""Seconds after its admission at which a run shows among its caller's busy threads."""
LOWERED = {"max_seconds", "max_judged", "max_links"}
"""The settings that are at most the operator's."""
WAITING = 2
"""The most runs that wait for one thread."""
_admitted = deque[tuple[float, str]]()
"""When each run was admitted that may not be seen yet, and the caller's or the thread's name."""
auth = Auth()
Context = Auth.types.AuthContext
Value = dict[str, Any]


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> User:
    """The caller whom the guard identified. Raises Refused with 401 if the guard did not run."""
    caller: User | None = scope.get(CALLER)
    if caller is None:
        raise Refused(401, "no caller was identified")
    return caller


def _is_unlimited(ctx: Context) -> bool:
    return is_unlimited(ctx.permissions, settings())


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
    """A run keeps to its caller's settings and limits, and has the operator's where it has none."""
    request, assistant = value["kwargs"], await _find_assistant(value["assistant_id"])
    graph = assistant["graph_id"]
    await _check(ctx, graph, request, assistant)
    context = request.get("context") or {}
    named = (assistant.get("context") or {}) | context
    own = settings().model_dump(include={*METHODS[graph].context.model_fields})
    context |= {name: own[name] for name in OPERATORS if name in own and name not in named}
    if not _is_unlimited(ctx):
        await _admit_run(ctx.user.identity, value.get("thread_id"))
        lowered = LOWERED & own.keys()
        context |= {name: min(named.get(name, inf), own[name]) for name in lowered}
    request["context"] = context
    return _restrict_to_owner(ctx, value)


async def _check(ctx: Context, graph: str, request: Value, *others: Mapping[str, Any]) -> None:
    """Refuse unknown names and wrong values to all; to callers with limits, what is not theirs."""
    # In threads, since names and texts may be long.
    limited = not _is_unlimited(ctx)
    if limited:
        await to_thread(check_settings, graph, request, settings())
    await to_thread(check_values, graph, *others, request)
    # The guard does not see what a command to a thread holds.
    await to_thread(check_written, request, settings(), limited=limited)


async def _find_assistant(name: object) -> Mapping[str, Any]:
    """An assistant by its id or a method's name. Raises Refused with 404 if there is none."""
    if name in METHODS:
        return {"graph_id": name}
    try:
        assistant = await server_client().assistants.get(str(UUID(str(name))))
    except (NotFoundError, ValueError) as error:
        raise Refused(404, "no such assistant") from error
    if assistant["graph_id"] not in METHODS:
        raise Refused(404, f"{assistant['graph_id']} is no method of errata")
    return assistant


async def _admit_run(owner: str, thread: object) -> None:
    """Count another run of a caller. Raises Refused with 429 if it is one too many.

    What waits for one thread has a limit of its own: LangGraph's queue gives no place to such runs,
    but to none behind them either.
    """
    if thread:
        fault = "runs wait for this thread; let one begin"
        await _admit(str(thread), WAITING, _count_waiting, fault)
    fault = "runs of yours are under way; wait for one to end"
    await _admit(owner, max_runs(settings(), places()), _count_busy, fault)


async def _count_waiting(thread: str) -> int:
    """How many runs wait for a thread, up to the most; none for one that is not there yet."""
    runs = server_client().runs
    try:
        return len(await runs.list(thread, status="pending", limit=WAITING, select=["run_id"]))
    except NotFoundError:
        return 0


async def _count_busy(owner: str) -> int:
    return await server_client().threads.count(metadata={OWNER: owner}, status="busy")


async def _admit(whose: str, most: int, look: Callable[[str], Awaitable[int]], fault: str) -> None:
    """Count one more, or raise Refused with 429; what is admitted too recently to show counts."""
    for delay in (0.0, BUSY_AFTER):
        await sleep(delay)
        seen, now = await look(whose), monotonic()
        while _admitted and now - _admitted[0][0] >= BUSY_AFTER:
            _admitted.popleft()
        if seen + sum(each == whose for _, each in _admitted) < most:
            _admitted.append((now, whose))
            return
    raise Refused(429, f"{most} {fault}", {"retry-after": "1"})


@auth.on.assistants
async def show_assistants(ctx: Context, value: Value) -> Any:  # noqa: ARG001  the server passes it
    """Callers see the graphs' own assistants, shared ones, and their own."""
    if _is_unlimited(ctx):
        return None
    return {"$or": [{OWNER: ctx.user.identity}, {CREATOR: "system"}, {SHARED: "yes"}]}


@auth.on.assistants(actions=["create", "update", "delete"])
async def authorize_own_assistant(ctx: Context, value: Any) -> Any:
    """Callers change only their own assistants, and cannot share them."""
    if ctx.action != "delete":
        assistant = await _find_assistant(value.get("graph_id") or value["assistant_id"])
        await _check(ctx, assistant["graph_id"], value)
    if not _is_unlimited(ctx):
        for name in (SHARED, CREATOR):
            (value.get("metadata") or {}).pop(name, None)
    return _restrict_to_owner(ctx, value)


def _restrict_to_owner(ctx: Context, value: Value) -> Any:
    """Write the owner into the metadata; the filter by it, but for admins and keyless callers.

    Admins own what they create; what they look for or change stays whose it is.
    """
    if settings().auth == "off":
        return None
    owner, is_admin = {OWNER: ctx.user.identity}, ADMIN in ctx.permissions
    if "metadata" in value and (not is_admin or ctx.action in ("create", "create_run")):
        value["metadata"] = value["metadata"] if value["metadata"] is not None else {}
        value["metadata"].update(owner)
    return None if is_admin else owner
