"""Three tools for MCP clients: few arguments, text first, the record as structured content."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from importlib.metadata import version
from typing import Annotated, Any, get_type_hints

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, create_model
from starlette.routing import Route

from errata.core.errors import ErrataError
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction
from errata.given import as_documents
from errata.langchain.runnable import (
    DESCRIPTIONS,
    AnsweredQuestion,
    Draft,
    Question,
    Texts,
)
from errata.methods import Result
from errata.nodes.settings import describe_unknown
from errata.render.text import as_text, verdicts_as_text
from errata.server.limits import check_length, slot
from errata.server.settings import settings
from errata.session import Session

OMITTED = ("documents", "usage", "question", "draft", "scores", "trail", "prompts")
"""Fields of a record that a reply leaves out: the client has them, or has no use for them."""
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


def _shown(record: type[Correction] | type[Answer]) -> type[BaseModel]:
    """The fields of a record that a reply has, with their types."""
    hints = get_type_hints(record)
    shown: Any = {f.name: (hints[f.name], ...) for f in fields(record) if f.name not in OMITTED}
    model: type[BaseModel] = create_model(record.__name__, **shown)
    return model


Corrected = Annotated[CallToolResult, _shown(Correction)]
Answered = Annotated[CallToolResult, _shown(Answer)]
server = StrictServer(
    "errata",
    version=version("errata"),
    instructions="Correct or check a text by evidence, or answer a question with its sources.",
    log_level="WARNING",
)


@server.tool(description=DESCRIPTIONS["correct"], annotations=_READ_ONLY)
async def correct(
    context: Context[Any], draft: Draft, question: Question = "", documents: Texts = ()
) -> Corrected:
    """Correct a text."""
    with _within_limits(context, question, draft):
        correction = await _session("rac").acorrect(question, draft, as_documents(documents))
    return _reply(as_text(correction), correction)


@server.tool(description=DESCRIPTIONS["check"], annotations=_READ_ONLY)
async def check(
    context: Context[Any], draft: Draft, question: Question = "", documents: Texts = ()
) -> Corrected:
    """Check a text."""
    with _within_limits(context, question, draft):
        correction = await _session("rac").acheck(question, draft, as_documents(documents))
    return _reply(verdicts_as_text(correction), correction)


@server.tool(description=DESCRIPTIONS["answer"], annotations=_READ_ONLY)
async def answer(
    context: Context[Any], question: AnsweredQuestion, documents: Texts = ()
) -> Answered:
    """Answer a question."""
    with _within_limits(context, question):
        reply = await _session("crag").aanswer(question, as_documents(documents))
    return _reply(as_text(reply), reply)


@cache
def _session(method: str) -> Session:
    """What corrects and checks, or answers, by the operator's settings."""
    operator = settings()
    return Session(method, model=operator.model, corpus=operator.corpus, search=operator.search)


@contextmanager
def _within_limits(context: Context[Any], *texts: str) -> Iterator[None]:
    """Apply the caller's limits to the call inside the block.

    Raises ToolError, which the client reads, in place of every error of ours.
    """
    request: Any = context.request_context.request
    try:
        check_length({"input": texts}, settings())
        with slot(request.scope["user"], settings()):
            yield
    except ErrataError as error:
        raise ToolError(str(error)) from error


def _reply(text: str, result: Result) -> CallToolResult:
    record = {name: value for name, value in to_json(result).items() if name not in OMITTED}
    content = TextContent(type="text", text=text)
    return CallToolResult(content=[content], structured_content=record)


def build_routes() -> list[Route]:
    """The routes /mcp and /mcp/, which speak MCP statelessly; the server's auth comes before it."""
    after_auth = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        json_response=True, stateless_http=True, transport_security=after_auth
    )
    routes = [route for route in app.routes if isinstance(route, Route)]
    return [*routes, *(Route(f"{route.path}/", route.endpoint) for route in routes)]
