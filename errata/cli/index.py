"""`errata index`: build an index of texts."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from errata.cli.options import AsJson
from errata.cli.output import show
from errata.render.terminal import say


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
