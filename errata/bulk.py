"""Judge many claims or texts: rows in, rows out, each written as soon as it is done."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from errata.errors import InputError
from errata.records import Claim, Document, from_json, to_json
from errata.tools.text.json_rows import number_lines, parse_json_row

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


Row = TypeVar("Row", VerifyRow, ScoreRow)
_FORMS = {
    VerifyRow: "{id, claim, evidence: [texts], question?}",
    ScoreRow: "{id, question, text, title?}",
}


def read_rows(text: str, name: str, kind: type[Row]) -> list[Row]:
    """All rows of a text called `name`; a row without an id is called by its line.

    Raises InputError naming file and line if a row cannot be used, or has another row's id.
    """
    lines = number_lines(text, name)
    rows = {where: _row(parse_json_row(line, where), where, kind) for where, line in lines}
    _check_ids(rows)
    return list(rows.values())


def _check_ids(rows: Mapping[str, VerifyRow | ScoreRow]) -> None:
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


def _row(values: dict[str, Any], where: str, kind: type[Row]) -> Row:
    number = where.rpartition(" ")[2]
    known = {field.name: values[field.name] for field in fields(kind) if field.name in values}
    try:
        return from_json(kind, known | {"id": str(values.get("id", number))})
    except InputError as error:
        raise InputError(f"{where}: {error}; a row is {_FORMS[kind]}") from error


async def score_rows(
    rows: Sequence[ScoreRow], context: "CragContext"
) -> AsyncIterator[dict[str, Any]]:
    """`{id, score}` for each row in order, by CRAG's evaluator; rows of one question at a time."""
    from errata.nodes.crag.evaluate import score_documents
    from errata.nodes.ledger import open_ledger

    for question, group in groupby(rows, lambda row: row.question):
        same = list(group)
        texts = [Document(id=row.id, title=row.title, text=row.text) for row in same]
        with open_ledger() as ledger:
            scores = await score_documents(question, texts, context)
        for row, score in zip(same, scores, strict=True):
            notes = {"notes": ledger.notes} if score is None else {}
            yield {"id": row.id, "score": score} | notes


async def verify_rows(
    rows: Sequence[VerifyRow], context: "RacContext"
) -> AsyncIterator[dict[str, Any]]:
    """`{id, label, score, explanation, quotes}` for each row, by RAC's verify; a few at once."""
    size = context.at_once if context.by_model("verify") else 1
    for batch in (rows[i : i + size] for i in range(0, len(rows), size)):
        for result in await asyncio.gather(*(_verify_row(row, context) for row in batch)):
            yield result


async def _verify_row(row: VerifyRow, context: "RacContext") -> dict[str, Any]:
    from errata.nodes.ledger import open_ledger
    from errata.nodes.rac.verify import judge_claims

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
