"""What LangGraph server serves beside its own routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata.api import ANSWERING, CORRECTING
from errata.server import mcp
from errata.server.auth import HEALTH
from errata.server.limits import BodyLimit
from errata.server.settings import settings
from errata.tools.models.chat import close

tools = mcp.served()


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Keep MCP's sessions while the server runs, and close connections to models at the end."""
    async with mcp.server.session_manager.run():
        yield
    await close()


async def health(_: Request) -> JSONResponse:
    """Say that the server is up, and what it serves; anybody may ask."""
    return JSONResponse(
        {"status": "ok", "version": version("errata"), "methods": [*CORRECTING, *ANSWERING]}
    )


app = Starlette(
    routes=[Route(HEALTH, health), *tools.routes],
    middleware=[Middleware(BodyLimit, size=settings().max_body_bytes)],
    lifespan=lifespan,
)
