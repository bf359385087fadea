"""`errata verify`: judge many claims."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from errata.cli.codes import code_of_rows
from errata.cli.inputs import Encoding, read_rows_of
from errata.cli.options import MODELS, AsJson, Out, with_settings
from errata.cli.output import failures, write_rows
from errata.cli.places import check_writable

if TYPE_CHECKING:
    from errata.nodes.rac.state import RacContext


@with_settings(("rac",), only=MODELS)
def verify(
    settings: Callable[[], dict[str, Any]],
    file: Annotated[str, typer.Argument(help="Rows {id, claim, evidence: [texts], question?}.")],
    encoding: Encoding = "",
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Judge many claims; write a row {id, label, score, explanation, quotes} for each."""
    from errata.bulk import VerifyRow, verify_rows
    from errata.session import Session

    with failures():
        check_writable(out)
        rows = read_rows_of(file, encoding, VerifyRow)
        with Session("rac", **settings()) as session:
            context = cast("RacContext", session.context)
            judgements = session.run(write_rows, verify_rows(rows, context), len(rows), out)
    raise typer.Exit(code_of_rows(rows, judgements, by_model=context.by_model("verify")))
