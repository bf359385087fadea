"""The tools that MCP clients have: few arguments, text first, the record as structured content."""

from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from errata.core.errors import ErrataError
from errata.core.jsonable import to_json
from errata.core.records import Correction, Document
from errata.given import as_documents, is_address
from errata.langchain.runnable import DESCRIPTIONS, AnsweredQuestion, Draft, Question, Texts
from errata.render.findings import as_text, citations_as_markdown, verdicts_as_text
from errata.session import Session

R = TypeVar("R")
OMITTED = ("documents", "usage", "question", "draft", "scores", "trail", "prompts")
"""Fields of a record that a reply over MCP leaves out: the client has them, or no use for them."""
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=True)
Sources = Annotated[
    dict[str, str] | None, Field(description="Texts of sources by mark, title or address.")
]


def build_server(sessions: Mapping[str, Session]) -> MCPServer[Any]:
    """An MCP server whose tools work with the session of each method."""
    server = MCPServer[Any](
        "errata",
        version=version("errata"),
        instructions="Correct or check a text, or its citations, by evidence; or answer questions.",
        log_level="WARNING",
    )

    @server.tool(description=DESCRIPTIONS["correct"], annotations=_READ_ONLY)
    async def correct(
        draft: Draft, question: Question = "", documents: Texts = ()
    ) -> CallToolResult:
        call = sessions["rac"].acorrect(question, draft, as_documents(documents))
        return await _reply(call, as_text)

    @server.tool(description=DESCRIPTIONS["check"], annotations=_READ_ONLY)
    async def check(draft: Draft, question: Question = "", documents: Texts = ()) -> CallToolResult:
        call = sessions["rac"].acheck(question, draft, as_documents(documents))
        return await _reply(call, verdicts_as_text)

    @server.tool(
        description="Audit a text's citations by their sources, and repair them.",
        annotations=_READ_ONLY,
    )
    async def cite(draft: Draft, sources: Sources = None) -> CallToolResult:
        documents = [
            Document(text=text, title=name, url=name if is_address(name) else "")
            for name, text in (sources or {}).items()
        ]
        return await _reply(sessions["cite"].acorrect("", draft, documents), _audit, "trail")

    @server.tool(description=DESCRIPTIONS["answer"], annotations=_READ_ONLY)
    async def answer(question: AnsweredQuestion, documents: Texts = ()) -> CallToolResult:
        return await _reply(sessions["crag"].aanswer(question, as_documents(documents)), as_text)

    return server


def _audit(audit: Correction) -> str:
    """What was found of a text's citations, and the text if it was repaired."""
    repaired = f"\n\nRepaired:\n\n{audit.response}" if audit.changed else ""
    return f"{citations_as_markdown(audit)}{repaired}"


async def _reply(call: Awaitable[R], render: Callable[[R], str], *kept: str) -> CallToolResult:
    """A call's result; raises ToolError, which the client reads, in place of an error of ours."""
    try:
        result = await call
    except ErrataError as error:
        raise ToolError(str(error)) from error
    omitted = {*OMITTED} - {*kept}
    record = {name: value for name, value in to_json(result).items() if name not in omitted}
    content = TextContent(type="text", text=render(result))
    return CallToolResult(content=[content], structured_content=record)
