"""`errata mcp`: MCP over standard input and output."""

from typing import Any

from errata.cli.options import TakesSettings, add_found, all_settings, find_settings
from errata.core.errors import require
from errata.methods import ANSWERING, CORRECTING

METHODS = ("rac", "cite", "crag")
"""What the tools work with."""
SETTINGS = (
    "corpus search model roles sampling prompts profile unsupported call_cache page_cache "
    "max_claims max_links max_seconds max_calls max_money max_pages"
).split()


@TakesSettings((*CORRECTING, *ANSWERING), only=SETTINGS, from_file=False)
def mcp(settings: dict[str, Any]) -> None:
    """Serve MCP clients over standard input and output: correct, check, cite, answer."""
    require("errata mcp", "mcp", "mcp")
    from errata.cli.mcp_tools import build_server
    from errata.session import Session
    from errata.tools.retrieval.retrieve import check_corpus

    file = find_settings()
    known, own = all_settings(METHODS), dict[str, dict[str, Any]]()
    for method in METHODS:
        has = all_settings([method])
        given = {n: value for n, value in settings.items() if n in has or n not in known}
        own[method] = add_found(file, method, given)
        context: Any = Session(method, **own[method]).context
        if context.corpus:
            check_corpus(context.corpus)

    build_server(own).run("stdio")
