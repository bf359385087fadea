"""The routes beside LangGraph server's own, with what comes before all of them.

MCP clients have four tools: few arguments, text first, the record as structured content.
"""

import gc
import sys
from asyncio import create_task, get_running_loop, sleep, to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ctypes import CDLL
from dataclasses import fields
from functools import cache
from importlib.metadata import version
from logging import LogRecord, getLogger
from typing import Annotated, Any, get_type_hints

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, Field, create_model
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.core.errors import ErrataError, SettingError
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction, Document
from errata.given import as_documents, is_address
from errata.langchain.runnable import (
    DESCRIPTIONS,
    AnsweredQuestion,
    Draft,
    Question,
    Texts,
)
from errata.methods import Result, method_named, offered
from errata.nodes.settings import describe_unknown
from errata.render.citations import citations_as_markdown
from errata.render.text import as_text, verdicts_as_text
from errata.server.a2a import A2AReplies
from errata.server.guard import CALLER, HEALTH, Guard, build_cors, check_host, is_unlimited
from errata.server.keys import identify_key
from errata.server.rules import Refused, check_written
from errata.server.settings import check_places, max_runs, places, settings
from errata.server.shares import SharedThreads, slot
from errata.session import Session
from errata.tools.models.pool import close_loop_models

check_host(settings())
identify_key("", settings())  # raises SettingError if ERRATA_API_KEYS is malformed
logger = getLogger(__name__)
TRIM_SECONDS = 10.0
"""How often freed memory is returned to the system."""
SWITCH_SECONDS = 0.0001
"""How long a thread that computes keeps Python's lock while the event loop waits for it."""
OMITTED = ("documents", "usage", "question", "draft", "scores", "trail", "prompts")
"""Fields of a record that a reply over MCP leaves out: the client has them, or no use for them."""
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=True)


class StrictServer(MCPServer[Any]):
    """An MCP server whose tools refuse arguments that they do not have."""

    async def list_tools(self) -> list[Tool]:
        """The tools; their schemas say that there are no further arguments."""
        tools = await super().list_tools()
        closed = {"additionalProperties": False}
        return [t.model_copy(update={"input_schema": t.input_schema | closed}) for t in tools]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool. Raises ToolError if it has no such argument, or fails."""
        known = next(
            (t.input_schema["properties"] for t in await self.list_tools() if t.name == name), ()
        )
        if known and (fault := describe_unknown(arguments, known, "argument", name)):
            raise ToolError(fault)
        return await super().call_tool(name, arguments, context)


def _shown(record: type[Correction] | type[Answer], *kept: str) -> type[BaseModel]:
    """The fields of a record that a reply has, with their types; `kept` are of those omitted."""
    hints, omitted = get_type_hints(record), {*OMITTED} - {*kept}
    shown: Any = {f.name: (hints[f.name], ...) for f in fields(record) if f.name not in omitted}
    model: type[BaseModel] = create_model(record.__name__, **shown)
    return model


Corrected = Annotated[CallToolResult, _shown(Correction)]
Answered = Annotated[CallToolResult, _shown(Answer)]
Cited = Annotated[CallToolResult, _shown(Correction, "trail")]
Sources = Annotated[
    dict[str, str] | None, Field(description="Texts of sources by mark, title or address.")
]
server = StrictServer(
    "errata",
    version=version("errata"),
    instructions="Correct or check a text, or its citations, by evidence; or answer a question.",
    log_level="WARNING",
)


@server.tool(description=DESCRIPTIONS["correct"], annotations=_READ_ONLY)
async def correct(
    context: Context[Any], draft: Draft, question: Question = "", documents: Texts = ()
) -> Corrected:
    """Correct a text."""
    async with _within_limits(context, question=question, draft=draft, documents=documents):
        correction = await _session("rac").acorrect(question, draft, as_documents(documents))
    return _reply(as_text(correction), correction)


@server.tool(description=DESCRIPTIONS["check"], annotations=_READ_ONLY)
async def check(
    context: Context[Any], draft: Draft, question: Question = "", documents: Texts = ()
) -> Corrected:
    """Check a text."""
    async with _within_limits(context, question=question, draft=draft, documents=documents):
        correction = await _session("rac").acheck(question, draft, as_documents(documents))
    return _reply(verdicts_as_text(correction), correction)


@server.tool(
    description="Audit a text's citations by their sources, and repair them; gives what is wrong.",
    annotations=_READ_ONLY,
)
async def cite(context: Context[Any], draft: Draft, sources: Sources = None) -> Cited:
    """Audit and repair a text's citations."""
    documents = [
        Document(text=text, title=name, url=name if is_address(name) else "")
        for name, text in (sources or {}).items()
    ]
    async with _within_limits(context, draft=draft, documents=documents):
        audit = await _session("cite").acorrect("", draft, documents)
    repaired = f"\n\nRepaired:\n\n{audit.response}" if audit.changed else ""
    return _reply(f"{citations_as_markdown(audit)}{repaired}", audit, "trail")


@server.tool(description=DESCRIPTIONS["answer"], annotations=_READ_ONLY)
async def answer(
    context: Context[Any], question: AnsweredQuestion, documents: Texts = ()
) -> Answered:
    """Answer a question."""
    async with _within_limits(context, question=question, documents=documents):
        reply = await _session("crag").aanswer(question, as_documents(documents))
    return _reply(as_text(reply), reply)


@cache
def _session(method: str) -> Session:
    """What corrects and checks, audits citations, or answers, by the operator's settings."""
    names = {"model", "corpus", "search", "max_seconds", "max_judged", "max_links"}
    own = names & method_named(method).context.model_fields.keys()
    chosen = settings().model_dump(include=own)
    return Session(method, **chosen)


@asynccontextmanager
async def _within_limits(context: Context[Any], **given: Any) -> AsyncIterator[None]:
    """Apply the caller's limits to the call inside the block.

    Raises ToolError, which the client reads, in place of every error of ours.
    """
    request: Any = context.request_context.request
    user = request.scope[CALLER]
    caller = "" if is_unlimited(user) else str(user["identity"])
    try:
        await to_thread(check_written, {"input": given}, settings(), limited=bool(caller))
        with slot(caller, max_runs(settings(), places())):
            yield
    except Refused as refused:
        raise ToolError(refused.detail) from refused
    except ErrataError as error:
        raise ToolError(str(error)) from error


def _reply(text: str, result: Result, *kept: str) -> CallToolResult:
    omitted = {*OMITTED} - {*kept}
    record = {name: value for name, value in to_json(result).items() if name not in omitted}
    content = TextContent(type="text", text=text)
    return CallToolResult(content=[content], structured_content=record)


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
    trimming = create_task(_return_memory())
    async with server.session_manager.run():
        yield
    trimming.cancel()
    await close_loop_models()


def shorten_refusal(record: LogRecord) -> bool:
    """Leave the traceback out of what LangGraph logs of a cron whose run was refused."""
    fault = sys.exc_info()[1]
    if isinstance(fault, HTTPException) and isinstance(record.msg, dict):
        record.msg = {**record.msg, "exception": fault.detail, "level": "warning"}
    return True


getLogger("langgraph_api.cron_scheduler").addFilter(shorten_refusal)


async def _return_memory() -> None:
    """Have the C library return freed memory to the system, which it keeps without end."""
    trim = getattr(CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    while trim:
        await sleep(TRIM_SECONDS)
        await to_thread(trim, 0)


async def report_health(_: Request) -> JSONResponse:
    """The status, the version and the methods; needs no key."""
    return JSONResponse({"status": "ok", "version": version("errata"), "methods": offered()})


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
        Middleware(A2AReplies),
    ],
    lifespan=lifespan,
)
