"""`errata mcp`: MCP over standard input and output."""

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

    file, sessions = find_settings(), dict[str, Session]()
    for name in WORKING:
        own = add_found(file, name, share_of(METHODS[name].context, settings))
        sessions[name] = Session(name, **own)
        if corpus := sessions[name].context.corpus:
            check_corpus(corpus)
    build_server(sessions).run("stdio")
