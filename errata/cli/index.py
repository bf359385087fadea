"""`errata index`: build an index of texts."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from errata.cli.inputs import Encoding, say
from errata.cli.options import AsJson
from errata.cli.output import failures


def index(
    sources: Annotated[list[Path], typer.Argument(help="Files and folders to index.")],
    out: Annotated[
        str,
        typer.Option("--out", help="The folder of the index, or qdrant:URL/COLLECTION?EMBEDDER."),
    ],
    embedder: Annotated[
        str, typer.Option(help="PROVIDER:MODEL for dense vectors; none: BM25 alone.")
    ] = "",
    encoding: Encoding = "",
    as_json: AsJson = False,
) -> None:
    """Build an index of texts, or bring one up to date; only what changed is read."""
    from errata.tools.retrieval import qdrant
    from errata.tools.retrieval.index import build

    with failures():
        if out.startswith(qdrant.PREFIX):
            report = qdrant.build(sources, out, encoding)
        else:
            report = build(sources, Path(out), embedder, encoding)
    for note in report.notes:
        say(f"note: {note}")
    if as_json:
        sys.stdout.write(json.dumps(asdict(report)) + "\n")
    else:
        sys.stdout.write(
            f"{report.passages} passages of {report.files} files; "
            f"{report.read} read, {report.removed} taken out\n"
        )
