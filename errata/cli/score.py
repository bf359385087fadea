"""`errata score`: score how relevant many texts are."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from errata.cli.codes import code_of_rows
from errata.cli.inputs import Encoding, read_rows_of
from errata.cli.options import MODELS, AsJson, Assignments, Out, with_settings
from errata.cli.output import failures, write_rows
from errata.cli.places import check_writable
from errata.nodes.settings import read_assignments

if TYPE_CHECKING:
    from errata.nodes.crag.state import CragContext


@with_settings(("crag",), only=MODELS)
def score(
    settings: Callable[[], dict[str, Any]],
    file: Annotated[str, typer.Argument(help="Rows {id, question, text, title?}.")],
    encoding: Encoding = "",
    out: Out = None,
    more_settings: Assignments = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Score how relevant many texts are; write a row {id, score in [-1, 1]} for each."""
    from errata.bulk import ScoreRow, score_rows
    from errata.session import Session

    with failures():
        check_writable(out)
        rows = read_rows_of(file, encoding, ScoreRow)
        with Session("crag", **(settings() | read_assignments(more_settings))) as session:
            context = cast("CragContext", session.context)
            judgements = session.run(write_rows, score_rows(rows, context), len(rows), out)
    raise typer.Exit(code_of_rows(rows, judgements, by_model=context.by_model("evaluate")))
