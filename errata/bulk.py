"""Verify many claims: rows in, rows out, each written as soon as it is done."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import InputError
from errata.records import Claim, Document, from_json, to_json
from errata.tools.files import json_row, read_text

if TYPE_CHECKING:
    from errata.nodes.rac.state import RacContext


@dataclass(frozen=True, kw_only=True)
class VerifyRow:
    """Hold one row of `errata verify`."""

    claim: str
    evidence: tuple[str, ...]
    id: str = ""
    question: str = ""


def read_rows(path: Path) -> list[VerifyRow]:
    """Read all rows before any work begins; a row without an id is called by its line.

    Raises InputError naming the file and line of a row that cannot be used.
    """
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            where = f"{str(path)!r}, line {number}"
            rows.append(_row(json_row(line, where), where, number))
    return rows


def _row(values: dict[str, Any], where: str, number: int) -> VerifyRow:
    known = {name: values[name] for name in ("claim", "evidence", "question") if name in values}
    try:
        return from_json(VerifyRow, known | {"id": str(values.get("id", number))})
    except InputError as error:
        raise InputError(
            f"{where}: {error}; a row is {{id, claim, evidence: [texts], question?}}"
        ) from error


async def verified(
    rows: Sequence[VerifyRow], context: "RacContext"
) -> AsyncIterator[dict[str, Any]]:
    """Judge rows in order, a few at once; give `{id, label, score, quotes}` for each."""
    from errata.nodes.rac.verify import judged

    async def one(row: VerifyRow) -> dict[str, Any]:
        documents = [Document(id=f"d{n}", text=t) for n, t in enumerate(row.evidence, start=1)]
        claim = Claim(id=row.id, text=row.claim, start=0, end=len(row.claim))
        found = await judged(row.question, [claim], documents, context)
        verdict = found.verdicts[0]
        result = {
            "id": row.id,
            "label": verdict.label,
            "score": verdict.score,
            "quotes": to_json(verdict.evidence),
        }
        return result | ({"notes": found.notes} if found.notes else {})

    size = context.at_once if context.filler("verify") else 1
    for batch in (rows[i : i + size] for i in range(0, len(rows), size)):
        for done in await asyncio.gather(*(one(row) for row in batch)):
            yield done
