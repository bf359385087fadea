"""The routes beside LangGraph server's own, with what comes before all of them."""

import gc
import sys
from asyncio import get_running_loop, to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import version
from logging import LogRecord, getLogger
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.core.errors import ErrataError, SettingError
from errata.methods import METHODS, method_named
from errata.server.guard import CALLER, HEALTH, Guard, build_cors, check_host, is_unlimited
from errata.server.keys import identify_key
from errata.server.rules import Refused, check_written
from errata.server.settings import check_places, max_runs, places, settings
from errata.server.shares import SharedThreads, slot
from errata.server.tools import build_server
from errata.session import Session
from errata.tools.models.pool import close_loop_models

check_host(settings())
identify_key("", settings())  # raises SettingError if ERRATA_API_KEYS is malformed
logger = getLogger(__name__)
SWITCH_SECONDS = 0.0001
"""How long a thread that computes keeps Python's lock while the event loop waits for it."""


@cache
def _session(method: str) -> Session:
    """What corrects and checks, audits citations, or answers, by the operator's settings."""
    names = {"model", "corpus", "search", "max_seconds", "max_judged", "max_links"}
    own = names & method_named(method).context.model_fields.keys()
    chosen = settings().model_dump(include=own)
    return Session(method, **chosen)


@asynccontextmanager
async def _opened(
    context: Context[Any], method: str, given: dict[str, Any]
) -> AsyncIterator[Session]:
    """A method's session, within the caller's limits.

    Raises ToolError, which the client reads, in place of every error of ours.
    """
    request: Any = context.request_context.request
    user = request.scope[CALLER]
    caller = "" if is_unlimited(user) else str(user["identity"])
    try:
        await to_thread(check_written, {"input": given}, settings(), limited=bool(caller))
        with slot(caller, max_runs(settings(), places())):
            yield _session(method)
    except Refused as refused:
        raise ToolError(refused.detail) from refused
    except ErrataError as error:
        raise ToolError(str(error)) from error


server = build_server(_opened)


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Share out the threads, run MCP's sessions; at the end close the connections to models.

    What is loaded by now is not looked at again by garbage collections, which hold all runs up.
    """
    get_running_loop().set_default_executor(SharedThreads(budget=settings().max_cpu_seconds))
    try:
        check_places(settings(), places())
    except SettingError as fault:
        logger.warning(str(fault))
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    async with server.session_manager.run():
        yield
    await close_loop_models()


def shorten_refusal(record: LogRecord) -> bool:
    """Leave the traceback out of what LangGraph logs of a cron whose run was refused."""
    fault = sys.exc_info()[1]
    if isinstance(fault, HTTPException) and isinstance(record.msg, dict):
        record.msg = {**record.msg, "exception": fault.detail, "level": "warning"}
    return True


getLogger("langgraph_api.cron_scheduler").addFilter(shorten_refusal)


async def report_health(_: Request) -> JSONResponse:
    """The status, the version and the methods; needs no key."""
    return JSONResponse({"status": "ok", "version": version("errata"), "methods": [*METHODS]})


async def refuse_stream(_: Request) -> Response:
    """Offer MCP clients no stream to hold open: nothing is told them unasked."""
    return Response(status_code=405, headers={"allow": "POST, DELETE"})


# The server's auth comes before MCP's route, which needs no protection of its own.
_mcp = server.streamable_http_app(
    json_response=True,
    stateless_http=True,
    transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
)
_mcp_routes = [
    each
    for route in _mcp.routes
    if isinstance(route, Route)
    for path in (route.path, f"{route.path}/")
    for each in (Route(path, refuse_stream), Route(path, route.endpoint))
]
app = Starlette(
    routes=[
        Route(HEALTH, report_health),
        *_mcp_routes,
    ],
    middleware=[
        build_cors(settings()),
        Middleware(Guard, settings=settings()),
    ],
    lifespan=lifespan,
)
