"""What comes before LangGraph server's routes, and what its process shares out."""

import gc
import sys
from asyncio import get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware

from errata.server.guard import Guard, build_cors, check_host
from errata.server.settings import settings
from errata.server.shares import SharedThreads
from errata.tools.models.pool import close_loop_models

check_host(settings())
SWITCH_SECONDS = 0.0001
"""How long a thread that computes keeps Python's lock while the event loop waits for it."""


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Share out the threads, and spare what is loaded from garbage collections; end the models."""
    get_running_loop().set_default_executor(SharedThreads(budget=settings().max_cpu_seconds))
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    yield
    await close_loop_models()


app = Starlette(
    middleware=[build_cors(settings()), Middleware(Guard, settings=settings())], lifespan=lifespan
)
