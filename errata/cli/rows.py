"""`errata verify` and `errata score`: rows in, rows out, each written as soon as it is done."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

import typer
from typer import Argument

from errata.cli.codes import OUTSIDE
from errata.cli.drafts import decode_source
from errata.cli.options import MODELS, AsJson, Encoding, Out, Takes
from errata.cli.output import check_writable
from errata.cli.progress import Progress
from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Claim, Document
from errata.render.terminal import say
from errata.tools.files.rows import number_lines, parse_json_row

if TYPE_CHECKING:
    from errata.nodes.crag.state import CragContext
    from errata.nodes.rac.state import RacContext


@dataclass(frozen=True, kw_only=True)
class VerifyRow:
    """One row of `errata verify`."""

    FORM: ClassVar = "{id, claim, evidence: [texts], question?}"
    claim: str
    evidence: tuple[str, ...]
    id: str = ""
    question: str = ""


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """One row of `errata score`."""

    FORM: ClassVar = "{id, question, text, title?}"
    question: str
    text: str
    id: str = ""
    title: str = ""


Row = TypeVar("Row", bound=VerifyRow | ScoreRow)
Results = AsyncIterator[dict[str, Any]]


def verify(
    settings: Annotated[dict[str, Any], Takes(("rac",), only=MODELS)],
    file: Annotated[str, Argument(help=f"Rows {VerifyRow.FORM}.")],
    encoding: Encoding = "",
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Judge many claims; write a row {id, label, score, explanation, quotes} for each."""
    rows = read_rows(file, encoding, VerifyRow)
    _judge(("rac", "verify"), rows, settings, verify_rows, out)


def score(
    settings: Annotated[dict[str, Any], Takes(("crag",), only=MODELS)],
    file: Annotated[str, Argument(help=f"Rows {ScoreRow.FORM}.")],
    encoding: Encoding = "",
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Score how relevant many texts are; write a row {id, score in [-1, 1]} for each."""
    rows = read_rows(file, encoding, ScoreRow)
    _judge(("crag", "evaluate"), rows, settings, _score_rows, out)


def read_rows(source: str, encoding: str, kind: type[Row]) -> list[Row]:
    """The rows of a file or, for `-`, of standard input; the default id is the line's number.

    Raises InputError naming file and line if one cannot be used, or two have one id.
    """
    rows, places = list[Row](), dict[str, str]()
    for where, line in number_lines(decode_source(source, encoding).text, repr(source)):
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


def _judge(
    judge: tuple[str, str],
    rows: Sequence[VerifyRow | ScoreRow],
    settings: dict[str, Any],
    results: Callable[[Sequence[Any], Any], Results],
    out: Path | None,
) -> None:
    """Judge rows by a method's role, and write the results as they come.

    Exits with 3 if a model judged no row.
    """
    from errata.session import Session

    check_writable(out)
    method, role = judge
    with Session(method, **settings) as session:
        judged = session.run(_write_rows, results(rows, session.context), len(rows), out)
    if session.context.by_model(role) and rows and not judged:
        raise typer.Exit(OUTSIDE)


async def _write_rows(results: Results, number: int, out: Path | None) -> int:
    """Write rows as they come and show progress; return how many of them hold a judgement."""
    judged = done = 0
    # The progress display replaces sys.stdout, so rows go to the original one.
    to = out.open("w", encoding="utf-8") if out else nullcontext(sys.stdout)
    progress = Progress()
    with to as target, progress.shown("judging …"):
        async for row in results:
            judged, done = judged + ("notes" not in row), done + 1
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
            progress.tell(f"judged {done} of {number} rows")
    return judged


async def _score_rows(rows: Sequence[ScoreRow], context: "CragContext") -> Results:
    """`{id, score}` for each row in order, by CRAG's evaluator; rows of one question at a time."""
    from errata.core.limits import Run, open_run
    from errata.nodes.crag.knowledge import score_documents

    for question, group in groupby(rows, lambda row: row.question):
        same = list(group)
        texts = [Document(id=row.id, title=row.title, text=row.text) for row in same]
        with open_run(Run()) as run:
            scores = await score_documents(question, texts, context)
        for row, score in zip(same, scores, strict=True):
            notes = {"notes": [*run.notes]} if score is None else {}
            yield {"id": row.id, "score": score} | notes


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
