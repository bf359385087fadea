"""The tools that MCP clients have: few arguments, text first, the record as structured content."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
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
from errata.render.findings import as_text, verdicts_as_text
from errata.session import Session

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
        """Correct a text."""
        with _told():
            result = await sessions["rac"].acorrect(question, draft, as_documents(documents))
        return _reply(as_text(result), result)

    @server.tool(description=DESCRIPTIONS["check"], annotations=_READ_ONLY)
    async def check(draft: Draft, question: Question = "", documents: Texts = ()) -> CallToolResult:
        """Check a text."""
        with _told():
            result = await sessions["rac"].acheck(question, draft, as_documents(documents))
        return _reply(verdicts_as_text(result), result)

    @server.tool(
        description="Audit a text's citations by their sources, and repair them.",
        annotations=_READ_ONLY,
    )
    async def cite(draft: Draft, sources: Sources = None) -> CallToolResult:
        """Audit and repair a text's citations."""
        documents = [
            Document(text=text, title=name, url=name if is_address(name) else "")
            for name, text in (sources or {}).items()
        ]
        with _told():
            audit = await sessions["cite"].acorrect("", draft, documents)
        repaired = f"\n\nRepaired:\n\n{audit.response}" if audit.changed else ""
        return _reply(f"{citations_as_markdown(audit)}{repaired}", audit, "trail")

    @server.tool(description=DESCRIPTIONS["answer"], annotations=_READ_ONLY)
    async def answer(question: AnsweredQuestion, documents: Texts = ()) -> CallToolResult:
        """Answer a question."""
        with _told():
            reply = await sessions["crag"].aanswer(question, as_documents(documents))
        return _reply(as_text(reply), reply)

    return server


def _reply(text: str, result: Result, *kept: str) -> CallToolResult:
    omitted = {*OMITTED} - {*kept}
    record = {name: value for name, value in to_json(result).items() if name not in omitted}
    content = TextContent(type="text", text=text)
    return CallToolResult(content=[content], structured_content=record)


@contextmanager
def _told() -> Iterator[None]:
    """Raise ToolError, which the client reads, in place of every error of ours."""
    try:
        yield
    except ErrataError as error:
        raise ToolError(str(error)) from error
