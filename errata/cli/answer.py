"""The commands around questions: answer them, score texts for them, index texts for them."""

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from errata.cli.options import (
    Answering,
    AsJson,
    Corpus,
    Documents,
    Further,
    Html,
    Model,
    Prompts,
    Record,
    Replay,
    Role,
    TopK,
)
from errata.cli.output import (
    OUTSIDE,
    by_model,
    failures,
    further,
    reported,
    settings_of,
    show_answer,
    written,
)


def answer(
    question: Annotated[str, typer.Argument(help="What to answer.")],
    method: Answering = Answering.crag,
    documents: Documents = None,
    corpus: Corpus = "",
    search: Annotated[
        str, typer.Option(help="none, serpapi, serper, searxng, wikipedia or corpus:DIR.")
    ] = "none",
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    record: Record = "",
    replay: Replay = "",
    top_k: TopK = 5,
    more_settings: Further = None,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question from documents or a corpus, from the web where these are wrong, or both."""
    from rich.console import Console

    from errata.api import answer as answered
    from errata.tools.retrieval.folder import read_documents

    with failures():
        settings = settings_of(model, role, prompts) | {
            "search": search,
            "record": record,
            "replay": replay,
            "top_k": top_k,
            **further(more_settings),
        }
        given = [document for file in documents or () for document in read_documents(file)]
        with Console(stderr=True).status("retrieving, judging, answering …"):
            found = answered(question, method.value, given, corpus or None, **settings)
        reported(found, html)
        show_answer(found, as_json)


def score(
    file: Annotated[Path, typer.Argument(help="Rows {id, question, text, title?}.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write here, not to stdout.")] = None,
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    more_settings: Further = None,
    as_json: AsJson = True,  # noqa: ARG001  every verb takes --json; this one prints nothing else
) -> None:
    """Score how relevant many texts are; write a row {id, score in [-1, 1]} for each."""
    from errata.api import closing, made
    from errata.bulk import ScoreRow, read_rows, score_rows
    from errata.nodes.crag.state import CragContext

    with failures():
        rows = read_rows(file, ScoreRow)
        settings = settings_of(model, role, prompts)
        context = made(CragContext, settings | further(more_settings))
        judged = asyncio.run(closing(written(score_rows(rows, context), len(rows), out)))
    if rows and not judged and by_model(settings | {"model": "local"}, "evaluate"):
        raise typer.Exit(OUTSIDE)


def index(
    sources: Annotated[list[Path], typer.Argument(help="Files and folders to index.")],
    out: Annotated[
        str,
        typer.Option("--out", help="The folder of the index, or qdrant:URL/COLLECTION?EMBEDDER."),
    ],
    embedder: Annotated[
        str, typer.Option(help="PROVIDER:MODEL for dense vectors; none: BM25 alone.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Build an index of texts, or bring one up to date; only what changed is read."""
    from errata.tools.retrieval import qdrant
    from errata.tools.retrieval.index import BuildReport, build
    from errata.tools.retrieval.passages import source_files

    with failures():
        if out.startswith(qdrant.PREFIX):
            count = qdrant.build(sources, out)
            files = len(source_files(sources))
            built = BuildReport(files, count, files, 0)
        else:
            built = build(sources, Path(out), embedder)
    if as_json:
        sys.stdout.write(json.dumps(asdict(built)) + "\n")
    else:
        sys.stdout.write(
            f"{built.passages} passages of {built.files} files; "
            f"{built.read} read, {built.removed} taken out\n"
        )
