"""`errata index` and `errata mcp`: an index of texts to judge by, and a server of tools."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from errata.cli.options import AsJson, Settings, add_found, find_settings
from errata.cli.output import show
from errata.core.errors import require
from errata.methods import METHODS
from errata.render.terminal import say

SERVED = ("rac", "cite", "crag")


def index(
    sources: Annotated[list[Path], Argument(help="Files and folders to index.")],
    out: Annotated[Path, Option("--out", help="The folder of the index.")],
    encoding: Annotated[
        str, Option(help="What the files are encoded in, if it is not found out.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Build an index of texts, or bring one up to date; only what changed is read."""
    from errata.tools.retrieval.index import build

    report = build(sources, out, encoding)
    for note in report.notes:
        say(f"note: {note}")
    found = f"{report.passages} passages of {report.files} files"
    show(report, [f"{found}; {report.read} read, {report.removed} taken out"], as_json=as_json)


def mcp(settings: Settings) -> None:
    """Serve MCP clients over standard input and output: correct, check, cite, answer."""
    require("errata mcp", "mcp", "mcp")
    from errata.cli.mcp_tools import build_server
    from errata.session import Session
    from errata.settings_file import settings_of
    from errata.tools.retrieval.retrieve import check_corpus

    file, sessions = find_settings(), dict[str, Session]()
    for name in SERVED:
        own = add_found(file, name, settings_of(METHODS[name].context, settings))
        sessions[name] = Session(name, **own)
        if corpus := sessions[name].context.corpus:
            check_corpus(corpus)
    build_server(sessions).run("stdio")
