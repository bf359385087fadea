"""The routes beside LangGraph server's own, with what comes before all of them."""

import gc
import sys
from asyncio import get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from logging import LogRecord, getLogger

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata.core.errors import SettingError
from errata.methods import METHODS
from errata.server.guard import HEALTH, Guard, build_cors, check_host
from errata.server.keys import identify_key
from errata.server.settings import check_places, places, settings
from errata.server.shares import SharedThreads
from errata.tools.models.pool import close_loop_models

check_host(settings())
identify_key("", settings())  # raises SettingError if ERRATA_API_KEYS is malformed
logger = getLogger(__name__)
SWITCH_SECONDS = 0.0001
"""How long a thread that computes keeps Python's lock while the event loop waits for it."""


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Share out the threads; at the end close the connections to models.

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


app = Starlette(
    routes=[
        Route(HEALTH, report_health),
    ],
    middleware=[
        build_cors(settings()),
        Middleware(Guard, settings=settings()),
    ],
    lifespan=lifespan,
)
