"""`errata mcp`: MCP over standard input and output."""

from typing import Any

from errata.cli.options import Settings, add_found, find_settings
from errata.core.errors import require

WORKING = ("rac", "cite", "crag")
"""What the tools work with."""


def mcp(settings: Settings) -> None:
    """Serve MCP clients over standard input and output: correct, check, cite, answer."""
    require("errata mcp", "mcp", "mcp")
    from errata.cli.mcp_tools import build_server
    from errata.methods import METHODS
    from errata.session import Session
    from errata.settings_file import share_of
    from errata.tools.retrieval.retrieve import check_corpus

    file, own = find_settings(), dict[str, dict[str, Any]]()
    for name in WORKING:
        own[name] = add_found(file, name, share_of(METHODS[name].context, settings))
        context = Session(name, **own[name]).context
        if context.corpus:
            check_corpus(context.corpus)
    build_server(own).run("stdio")
