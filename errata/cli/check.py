"""`errata check`: judge a draft and change nothing."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from errata.cli.correct import METHOD, run
from errata.cli.inputs import Encoding
from errata.cli.options import (
    AsJson,
    Assignments,
    Documents,
    Draft,
    Html,
    MoreDocuments,
    Question,
    read_assignments,
    with_settings,
)
from errata.cli.output import REFUTED, exit_if_unjudged, failures, show_correction, write_html
from errata.methods import CORRECTING


@with_settings(CORRECTING, checking=True)
def check(
    settings: Callable[[], dict[str, Any]],
    more: MoreDocuments = None,
    question: Question = "",
    draft: Draft = "",
    method: Annotated[str, METHOD] = CORRECTING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if anything is refuted.")
    ] = False,
    more_settings: Assignments = None,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    with failures():
        own = settings() | read_assignments(more_settings) | {"check_only": True}
        files = [*(documents or ()), *(more or ())]
        correction, context = run(question, draft, method, files, own, encoding)
        write_html(correction, html)
        show_correction(correction, as_json)
    if strict and correction.label == "refuted":
        raise typer.Exit(REFUTED)
    exit_if_unjudged(correction, context, context.deciding_role, strict=strict)
