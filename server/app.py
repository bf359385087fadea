"""The routes beside LangGraph server's own, and the middleware before all of them."""

import gc
import sys
from asyncio import get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata.methods import offered
from errata.server import mcp
from errata.server.a2a_replies import A2AReplies
from errata.server.guard import HEALTH, Guard, build_cors, check_host
from errata.server.limits import BodyLimits, RateLimits
from errata.server.settings import settings
from errata.server.threads import SharedThreads
from errata.tools.models.pool import close_loop_models

check_host(settings())
SWITCH_SECONDS = 0.0005
"""How long a thread that computes keeps Python's lock while the event loop waits for it."""


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Share out the threads, run MCP's sessions; at the end close the connections to models.

    What is loaded by now is not looked at again by garbage collections, which hold all runs up.
    """
    get_running_loop().set_default_executor(SharedThreads())
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    async with mcp.server.session_manager.run():
        yield
    await close_loop_models()


async def report_health(_: Request) -> JSONResponse:
    """The status, the version and the methods; needs no key."""
    return JSONResponse({"status": "ok", "version": version("errata"), "methods": offered()})


app = Starlette(
    routes=[Route(HEALTH, report_health), *mcp.build_routes()],
    middleware=[
        build_cors(settings()),
        Middleware(Guard, settings=settings()),
        Middleware(RateLimits, settings=settings()),
        Middleware(BodyLimits, settings=settings()),
        Middleware(A2AReplies),
    ],
    lifespan=lifespan,
)
