"""The tools that MCP clients have: few arguments, text first, the record as structured content."""

from asyncio import create_task, gather
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from errata.core.errors import ErrataError
from errata.core.jsonable import to_json
from errata.core.records import Document
from errata.given import as_documents, is_address
from errata.langchain.runnable import DESCRIPTIONS, AnsweredQuestion, Draft, Question, Texts
from errata.methods import Result
from errata.render.citations import citations_as_markdown
from errata.render.text import as_text, verdicts_as_text
from errata.session import Session

OMITTED = ("documents", "usage", "question", "draft", "scores", "trail", "prompts")
"""Fields of a record that a reply over MCP leaves out: the client has them, or no use for them."""
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=True)


Sources = Annotated[
    dict[str, str] | None, Field(description="Texts of sources by mark, title or address.")
]


def build_server(settings: Mapping[str, Mapping[str, Any]]) -> MCPServer[Any]:
    """An MCP server whose tools work with the settings of each method."""
    server = MCPServer[Any](
        "errata",
        version=version("errata"),
        instructions="Correct or check a text, or its citations, by evidence; or answer questions.",
        log_level="WARNING",
    )

    @server.tool(description=DESCRIPTIONS["correct"], annotations=_READ_ONLY)
    async def correct(
        context: Context[Any], draft: Draft, question: Question = "", documents: Texts = ()
    ) -> CallToolResult:
        """Correct a text."""
        async with _opened(context, "rac", settings) as session:
            result = await session.acorrect(question, draft, as_documents(documents))
        return _reply(as_text(result), result)

    @server.tool(description=DESCRIPTIONS["check"], annotations=_READ_ONLY)
    async def check(
        context: Context[Any], draft: Draft, question: Question = "", documents: Texts = ()
    ) -> CallToolResult:
        """Check a text."""
        async with _opened(context, "rac", settings) as session:
            result = await session.acheck(question, draft, as_documents(documents))
        return _reply(verdicts_as_text(result), result)

    @server.tool(
        description="Audit a text's citations by their sources, and repair them.",
        annotations=_READ_ONLY,
    )
    async def cite(context: Context[Any], draft: Draft, sources: Sources = None) -> CallToolResult:
        """Audit and repair a text's citations."""
        documents = [
            Document(text=text, title=name, url=name if is_address(name) else "")
            for name, text in (sources or {}).items()
        ]
        async with _opened(context, "cite", settings) as session:
            audit = await session.acorrect("", draft, documents)
        repaired = f"\n\nRepaired:\n\n{audit.response}" if audit.changed else ""
        return _reply(f"{citations_as_markdown(audit)}{repaired}", audit, "trail")

    @server.tool(description=DESCRIPTIONS["answer"], annotations=_READ_ONLY)
    async def answer(
        context: Context[Any], question: AnsweredQuestion, documents: Texts = ()
    ) -> CallToolResult:
        """Answer a question."""
        async with _opened(context, "crag", settings) as session:
            reply = await session.aanswer(question, as_documents(documents))
        return _reply(as_text(reply), reply)

    return server


def _reply(text: str, result: Result, *kept: str) -> CallToolResult:
    omitted = {*OMITTED} - {*kept}
    record = {name: value for name, value in to_json(result).items() if name not in omitted}
    content = TextContent(type="text", text=text)
    return CallToolResult(content=[content], structured_content=record)


@asynccontextmanager
async def _opened(
    context: Context[Any], method: str, settings: Mapping[str, Mapping[str, Any]]
) -> AsyncIterator[Session]:
    """A method's session, whose progress a client that asked for it is told.

    Raises ToolError, which the client reads, in place of every error of ours.
    """
    sent = list[Any]()

    def tell(step: str, done: int, total: int) -> None:
        message = f"{step}: {done} of {total}"
        sent.append(create_task(context.report_progress(len(sent) + 1, message=message)))

    try:
        yield Session(method, on_progress=tell, **settings[method])
    except ErrataError as error:
        raise ToolError(str(error)) from error
    finally:
        await gather(*sent, return_exceptions=True)
