"""Judge many claims or texts: rows in, rows out, each written as soon as it is done."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Claim, Document
from errata.tools.files.rows import number_lines, parse_json_row

if TYPE_CHECKING:
    from errata.nodes.crag.state import CragContext
    from errata.nodes.rac.state import RacContext


@dataclass(frozen=True, kw_only=True)
class VerifyRow:
    """One row of `errata verify`."""

    claim: str
    evidence: tuple[str, ...]
    id: str = ""
    question: str = ""


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """One row of `errata score`."""

    question: str
    text: str
    id: str = ""
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class BadRow:
    """A row that cannot be used, and why."""

    id: str
    error: str


Row = TypeVar("Row", VerifyRow, ScoreRow)
_FORMS = {
    VerifyRow: "{id, claim, evidence: [texts], question?}",
    ScoreRow: "{id, question, text, title?}",
}


def read_rows(text: str, name: str, kind: type[Row]) -> list[Row | BadRow]:
    """All rows of a text called `name`; a row without an id is called by its line.

    Raises InputError naming file and line if a row has another row's id.
    """
    rows = {where: _row(line, where, kind) for where, line in number_lines(text, name)}
    _check_ids(rows)
    return list(rows.values())


def _check_ids(rows: Mapping[str, VerifyRow | ScoreRow | BadRow]) -> None:
    """Refuse two rows of one id: nobody could tell their results apart."""
    first: dict[str, str] = {}
    for where, row in rows.items():
        if row.id in first:
            line = first[row.id].rpartition(", ")[2]
            raise InputError(
                f"{where}: its id {row.id!r} is that of {line} already; give each row its own id "
                "(a row without one has its line's number)"
            )
        first[row.id] = where


def _row(line: str, where: str, kind: type[Row]) -> Row | BadRow:
    """The row on a line, or what is wrong with it."""
    own = where.rpartition(" ")[2]
    try:
        values = parse_json_row(line, where)
    except InputError as error:
        return BadRow(id=own, error=str(error))
    own = str(values.get("id", own))
    known = {field.name: values[field.name] for field in fields(kind) if field.name in values}
    try:
        return from_json(kind, known | {"id": own})
    except InputError as error:
        faults = str(error).partition(": ")[2].rpartition(";")[0]
        return BadRow(id=own, error=f"{where}: {faults}; a row is {_FORMS[kind]}")


async def score_rows(
    rows: Sequence[ScoreRow | BadRow], context: "CragContext"
) -> AsyncIterator[dict[str, Any]]:
    """`{id, score}` for each row in order, by CRAG's evaluator; rows of one question at a time."""
    from errata.nodes.crag.knowledge import score_documents
    from errata.nodes.ledger import open_ledger

    for question, group in groupby(rows, lambda row: getattr(row, "question", None)):
        if question is None:
            for bad in group:
                yield to_json(bad)
            continue
        same = [row for row in group if isinstance(row, ScoreRow)]
        texts = [Document(id=row.id, title=row.title, text=row.text) for row in same]
        with open_ledger() as ledger:
            scores = await score_documents(question, texts, context)
        for row, score in zip(same, scores, strict=True):
            notes = {"notes": ledger.notes} if score is None else {}
            yield {"id": row.id, "score": score} | notes


async def verify_rows(
    rows: Sequence[VerifyRow | BadRow], context: "RacContext"
) -> AsyncIterator[dict[str, Any]]:
    """`{id, label, score, explanation, quotes}` for each row, by RAC's verify; a few at once."""
    size = context.at_once if context.by_model("verify") else 1
    for batch in (rows[i : i + size] for i in range(0, len(rows), size)):
        for result in await asyncio.gather(*(_verify_row(row, context) for row in batch)):
            yield result


async def _verify_row(row: VerifyRow | BadRow, context: "RacContext") -> dict[str, Any]:
    from errata.nodes.ledger import open_ledger
    from errata.nodes.rac.verify import judge_claims

    if isinstance(row, BadRow):
        return vars(row)
    documents = [Document(id=f"d{n}", text=t) for n, t in enumerate(row.evidence, start=1)]
    claim = Claim(id=row.id, text=row.claim, start=0, end=len(row.claim))
    with open_ledger() as ledger:
        [verdict] = await judge_claims(row.question, [claim], documents, context)
    result = {
        "id": row.id,
        "label": verdict.label,
        "score": verdict.score,
        "explanation": verdict.explanation,
        "quotes": to_json(verdict.evidence),
    }
    return result | ({"notes": ledger.notes} if ledger.notes else {})
