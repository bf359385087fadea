"""Three tools for MCP clients: few arguments, text first, the record as structured content."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from starlette.applications import Starlette

from errata.agents.tool_schemas import (
    DESCRIPTIONS,
    AnsweredQuestion,
    Documents,
    Draft,
    Question,
)
from errata.errors import ErrataError
from errata.methods import Result
from errata.records import to_json
from errata.render.text import as_text, verdicts_as_text
from errata.server.limits import check_length, slot
from errata.server.settings import settings
from errata.session import Session

OMITTED = ("documents", "usage", "question", "draft", "scores", "trail", "prompts")
"""Fields of a record that a reply leaves out: the client has them, or has no use for them."""
server = MCPServer(
    "errata",
    instructions="Correct or check a text by evidence, or answer a question with its sources.",
    log_level="WARNING",
)
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=True)


@server.tool(description=DESCRIPTIONS["correct"], annotations=_READ_ONLY, structured_output=False)
async def correct(
    context: Context[Any], draft: Draft, question: Question = "", documents: Documents = ()
) -> CallToolResult:
    """Correct a text."""
    with _within_limits(context, question, draft):
        correction = await _correcting().acorrect(question, draft, documents)
    return _reply(as_text(correction), correction)


@server.tool(description=DESCRIPTIONS["check"], annotations=_READ_ONLY, structured_output=False)
async def check(
    context: Context[Any], draft: Draft, question: Question = "", documents: Documents = ()
) -> CallToolResult:
    """Check a text."""
    with _within_limits(context, question, draft):
        correction = await _correcting().acheck(question, draft, documents)
    return _reply(verdicts_as_text(correction), correction)


@server.tool(description=DESCRIPTIONS["answer"], annotations=_READ_ONLY, structured_output=False)
async def answer(
    context: Context[Any], question: AnsweredQuestion, documents: Documents = ()
) -> CallToolResult:
    """Answer a question."""
    with _within_limits(context, question):
        reply = await _answering().aanswer(question, documents)
    return _reply(as_text(reply), reply)


@cache
def _correcting() -> Session:
    """What corrects and checks, by the operator's settings."""
    return Session("rac", model=settings().model, corpus=settings().corpus)


@cache
def _answering() -> Session:
    """What answers, by the operator's settings."""
    operator = settings()
    return Session("crag", model=operator.model, corpus=operator.corpus, search=operator.search)


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


def build_app() -> Starlette:
    """The app that speaks MCP at /mcp, statelessly; the server's auth comes before it."""
    after_auth = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return server.streamable_http_app(
        json_response=True, stateless_http=True, transport_security=after_auth
    )
