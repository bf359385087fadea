"""`errata verify`: rows in, rows out, each written as soon as it is judged."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

import typer
from typer import Argument

from errata.cli.codes import OUTSIDE
from errata.cli.drafts import read_input
from errata.cli.options import AsJson, Out, Settings, for_method
from errata.cli.output import Progress, check_writable
from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Claim, Document
from errata.render.terminal import say
from errata.tools.files.rows import number_lines, parse_json_row

if TYPE_CHECKING:
    from errata.nodes.rac.state import RacContext


@dataclass(frozen=True, kw_only=True)
class VerifyRow:
    """One row of `errata verify`."""

    FORM: ClassVar = "{id, claim, evidence: [texts], question?}"
    claim: str
    evidence: tuple[str, ...]
    id: str = ""
    question: str = ""


Row = TypeVar("Row", bound=VerifyRow)
Results = AsyncIterator[dict[str, Any]]


def verify(
    file: Annotated[str, Argument(help=f"Rows {VerifyRow.FORM}.")],
    settings: Settings,
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Judge many claims; write a row {id, label, score, explanation, quotes} for each."""
    from errata.session import Session

    rows = read_rows(file, VerifyRow)
    check_writable(out)
    with Session("rac", **for_method("rac", settings)) as session:
        context: Any = session.context
        judged = session.run(_write_rows, verify_rows(rows, context), len(rows), out)
    if context.by_model("verify") and rows and not judged:
        raise typer.Exit(OUTSIDE)


def read_rows(source: str, kind: type[Row]) -> list[Row]:
    """The rows of a file or, for `-`, of standard input; the default id is the line's number.

    Raises InputError naming file and line if one cannot be used, or two have one id.
    """
    rows, places = list[Row](), dict[str, str]()
    for where, line in number_lines(read_input(source)[1], repr(source)):
        row = _row(parse_json_row(line, where), where, kind)
        if first := places.get(row.id):
            raise InputError(
                f"{where}: its id {row.id!r} is that of {first.rpartition(', ')[2]} already; give "
                "each row its own id (a row without one has its line's number)"
            )
        places[row.id] = where
        rows.append(row)
    if not rows:
        say(f"note: {source!r} has no rows")
    return rows


def _row(values: dict[str, Any], where: str, kind: type[Row]) -> Row:
    known = {field.name: values[field.name] for field in fields(kind) if field.name in values}
    known["id"] = str(values.get("id", where.rpartition(" ")[2]))
    try:
        return from_json(kind, known, f"a row is {kind.FORM}")
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


async def _write_rows(results: Results, number: int, out: Path | None) -> int:
    """Write rows as they come and show progress; return how many of them hold a judgement."""
    judged = done = 0
    progress = Progress(quiet=not out and sys.stdout.isatty())
    to = out.open("w", encoding="utf-8") if out else nullcontext(sys.stdout)
    with to as target, progress.shown("judging …"):
        async for row in results:
            judged, done = judged + ("notes" not in row), done + 1
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
            progress.tell(f"judged {done} of {number} rows")
    return judged


async def verify_rows(rows: Sequence[VerifyRow], context: "RacContext") -> Results:
    """`{id, label, score, explanation, quotes}` for each row, by RAC's verify; a few at once."""
    asks = context.by_model("verify") or context.deciders("verify")
    size = context.deployment.at_once if asks else 1
    context = context.model_copy(update={"check_only": True})
    for batch in (rows[i : i + size] for i in range(0, len(rows), size)):
        for result in await asyncio.gather(*(_verify_row(row, context) for row in batch)):
            yield result


async def _verify_row(row: VerifyRow, context: "RacContext") -> dict[str, Any]:
    from errata.core.limits import Run, open_run
    from errata.nodes.rac.verify import judge_claims

    documents = [Document(id=f"d{n}", text=t) for n, t in enumerate(row.evidence, start=1)]
    claim = Claim(id=row.id, text=row.claim, start=0, end=len(row.claim))
    with open_run(Run()) as run:
        [verdict], _ = await judge_claims(row.question, [claim], documents, context)
    found = to_json(verdict)
    result = {name: found[name] for name in ("label", "score", "explanation")}
    notes = {"notes": [*run.notes]} if run.notes else {}
    return {"id": row.id, **result, "quotes": found["evidence"], **notes}
