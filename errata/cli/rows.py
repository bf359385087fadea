"""`errata verify` and `errata score`: rows in, rows out."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from errata.cli.codes import code_of_rows
from errata.cli.inputs import read_rows_of
from errata.cli.options import MODELS, AsJson, Encoding, Out, with_settings
from errata.cli.output import check_writable
from errata.cli.progress import Counts

Results = AsyncIterator[dict[str, Any]]


@with_settings(("rac",), only=MODELS)
def verify(
    settings: dict[str, Any],
    file: Annotated[
        str,
        typer.Argument(help="Rows {id, claim, evidence: [texts], question?}."),
    ],
    encoding: Encoding = "",
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Judge many claims; write a row {id, label, score, explanation, quotes} for each."""
    from errata.bulk import VerifyRow, verify_rows

    check_writable(out)
    rows = read_rows_of(file, encoding, VerifyRow)
    _judge(("rac", "verify"), rows, settings, verify_rows, out)


@with_settings(("crag",), only=MODELS)
def score(
    settings: dict[str, Any],
    file: Annotated[str, typer.Argument(help="Rows {id, question, text, title?}.")],
    encoding: Encoding = "",
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Score how relevant many texts are; write a row {id, score in [-1, 1]} for each."""
    from errata.bulk import ScoreRow, score_rows

    check_writable(out)
    rows = read_rows_of(file, encoding, ScoreRow)
    _judge(("crag", "evaluate"), rows, settings, score_rows, out)


def _judge(
    judge: tuple[str, str],
    rows: Sequence[Any],
    settings: dict[str, Any],
    results: Callable[[Sequence[Any], Any], Results],
    out: Path | None,
) -> None:
    """Judge rows by a method's role, write the results, and end with the exit code they have."""
    from errata.session import Session

    method, role = judge
    with Session(method, **settings) as session:
        context = session.context
        judgements = session.run(_write_rows, results(rows, context), len(rows), out)
    raise typer.Exit(code_of_rows(rows, judgements, by_model=context.by_model(role)))


async def _write_rows(results: Results, count: int, out: Path | None) -> int:
    """Write rows as they come, and tell how many there are; how many of them hold a judgement."""
    judgements, counts = 0, Counts()
    # What is shown takes sys.stdout over, so rows go to the one from before.
    with out.open("w", encoding="utf-8") if out else _stdout() as target, counts.shown("judging …"):
        for done in range(1, count + 1):
            row = await anext(results)
            judgements += not row.keys() & {"notes", "error"}
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
            counts.tell(f"judged {done} of {count} rows")
    return judgements


@contextmanager
def _stdout() -> Iterator[Any]:
    """Standard output as a file to write to; it stays open."""
    yield sys.stdout
