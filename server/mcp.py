"""The three verbs as tools for MCP clients: few arguments in, text first, the record beside it."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from starlette.applications import Starlette

from errata.agents.tool_schemas import DOES, Asked, Documents, Draft, Question
from errata.api import aanswer, acheck, acorrect
from errata.errors import ErrataError
from errata.records import Answer, Correction, to_json
from errata.render.text import as_text, verdicts_as_text
from errata.server.limits import check_length, slot
from errata.server.settings import settings

LONG = ("documents", "usage", "question", "draft", "scores")
"""What of a record stays on the server: the caller has it, or has no use for it."""
server = MCPServer(
    "errata",
    instructions="Correct or check a text by evidence, or answer a question with its sources.",
    log_level="WARNING",
)
_READING = ToolAnnotations(read_only_hint=True, open_world_hint=True)


@server.tool(description=DOES["correct"], annotations=_READING, structured_output=False)
async def correct(
    context: Context[Any], draft: Draft, question: Question = "", documents: Documents = ()
) -> CallToolResult:
    """Correct a text."""
    return await _called(acorrect, as_text, context, documents, question=question, draft=draft)


@server.tool(description=DOES["check"], annotations=_READING, structured_output=False)
async def check(
    context: Context[Any], draft: Draft, question: Question = "", documents: Documents = ()
) -> CallToolResult:
    """Check a text."""
    return await _called(
        acheck, verdicts_as_text, context, documents, question=question, draft=draft
    )


@server.tool(description=DOES["answer"], annotations=_READING, structured_output=False)
async def answer(
    context: Context[Any], question: Asked, documents: Documents = ()
) -> CallToolResult:
    """Answer a question."""
    search = partial(aanswer, search=settings().search)
    return await _called(search, as_text, context, documents, question=question)


async def _called(
    verb: Callable[..., Awaitable[Any]],
    tell: Callable[[Any], str],
    context: Context[Any],
    documents: Sequence[str],
    **asked: str,
) -> CallToolResult:
    """Run a verb by the operator's settings and within the caller's limits, and tell the result.

    Raises ToolError, which the client reads, where it cannot be done.
    """
    own = {"model": settings().model, "corpus": settings().corpus, "documents": documents}
    request: Any = context.request_context.request
    try:
        check_length({"input": asked}, settings())
        with slot(request.scope["user"], settings()):
            found: Correction | Answer = await verb(**asked, **own)
    except ErrataError as error:
        raise ToolError(str(error)) from error
    record = {name: value for name, value in to_json(found).items() if name not in LONG}
    text = TextContent(type="text", text=tell(found))
    return CallToolResult(content=[text], structured_content=record)


def served() -> Starlette:
    """Give the app that speaks MCP at /mcp; each request stands alone, and auth comes before it."""
    checked_before = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return server.streamable_http_app(
        json_response=True, stateless_http=True, transport_security=checked_before
    )
