"""The Ray worker of a batch, and the desk that hands it rows: an actor that outlives workers."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from errata.batch.rows import BatchRow
from errata.batch.work import Work, failed_row, run_row
from errata.core.errors import AccessError, ErrataError, SettingError
from errata.core.jsonable import from_json
from errata.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

NUMBER, TEXT = "number", "text"
"""The columns of Ray's tables: a handful's number, and its rows as JSON text."""
ROWS, STOP = "rows", "stop"
"""What a handful's results hold: output rows, and a fault that ends the batch."""
STOPS = {error.__name__: error for error in (AccessError, SettingError)}
Ask = Callable[..., Any]
"""Calls a method of the desk by its name, and waits for the reply."""
MOST_STARTS = 2
"""How many workers may die at work on a row before the row counts as failed."""


class Desk:
    """The handfuls of rows that are not done, by number, and the rows that workers are at work on.

    A handful can be taken again as long as it is not done, so that Ray may run any task twice.
    """

    def __init__(self) -> None:
        """Start with nothing on it."""
        self._open: dict[int, str] = {}
        self._put, self._closed = 0, False
        self._changed = asyncio.Condition()
        self._starts: Counter[str] = Counter()

    async def put(self, handful: str) -> None:
        """Add the next handful: rows as JSON text."""
        async with self._changed:
            self._open[self._put] = handful
            self._put += 1
            self._changed.notify_all()

    async def close(self) -> None:
        """Say that no more handfuls come."""
        async with self._changed:
            self._closed = True
            self._changed.notify_all()

    async def take(self, number: int) -> str | None:
        """Wait for a handful and return it; empty if it is done, None after the last one."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._closed or number < self._put)
        return self._open.get(number, "") if number < self._put else None

    async def done(self, number: int) -> None:
        """Forget a handful whose results the driver has."""
        self._open.pop(number, None)

    async def starts(self, ids: Sequence[str]) -> list[int]:
        """How often each row was started and not finished."""
        return [self._starts[row] for row in ids]

    async def start(self, ids: Sequence[str]) -> list[int]:
        """Record a start of these rows; return how often each was started before, unfinished."""
        before = await self.starts(ids)
        self._starts.update(ids)
        return before

    async def end(self, ids: Sequence[str]) -> None:
        """Forget the starts of rows that are finished."""
        for row in ids:
            del self._starts[row]


def ask_actor(actor: Any, name: str, *args: Any) -> Any:
    """The reply of an actor's method to these arguments."""
    import ray

    return ray.get(getattr(actor, name).remote(*args))


def hand_out(_: "pa.Table", ask: Ask) -> "Iterator[pa.Table]":
    """One table for each handful, as the driver puts it on the desk, until there are no more."""
    number = 0
    while (text := ask("take", number)) is not None:
        yield table_of(number, text)
        number += 1


def table_of(number: int, text: str) -> "pa.Table":
    """A table of one row: a handful, or its results."""
    import pyarrow as pa

    return pa.table({NUMBER: [number], TEXT: [text]})


class RowWorker:
    """Runs handfuls of rows in one session.

    A row that is at work when its worker dies twice, the second time alone, has failed.
    """

    def __init__(self, work: Work, ask: Ask) -> None:
        """Open the session; a fault in its settings is reported with the first handful."""
        self._work, self._ask = work, ask
        self._fault: ErrataError | None = None
        self._open = ExitStack()
        try:
            self._session: Session = self._open.enter_context(work.open_session())
        except (AccessError, SettingError) as error:
            self._fault = error

    def close(self) -> None:
        """Close the session; in Ray it closes with the process."""
        self._open.close()

    def __call__(self, table: "pa.Table") -> "pa.Table":
        """The results of one handful, as JSON text."""
        [number], [text] = table[NUMBER].to_pylist(), table[TEXT].to_pylist()
        results = self._results(json.loads(text)) if text else {}
        return table_of(number, json.dumps(results, ensure_ascii=False))

    def _results(self, rows: Sequence[Any]) -> dict[str, Any]:
        if self._fault:
            return {STOP: _stop(self._fault)}
        known = [from_json(BatchRow, row) for row in rows]
        died = any(self._ask("starts", [row.id for row in known]))
        groups = [[row] for row in known] if died else [known]
        outcomes = [outcome for group in groups for outcome in self._run(group)]
        stops = [outcome[STOP] for outcome in outcomes if STOP in outcome]
        done = [outcome for outcome in outcomes if STOP not in outcome]
        return {ROWS: done} | ({STOP: stops[0]} if stops else {})

    def _run(self, rows: Sequence[BatchRow]) -> list[dict[str, Any]]:
        """The outcomes of rows that run together: output rows, or faults that end the batch."""
        ids = [row.id for row in rows]
        starts = self._ask("start", ids)
        able = [row for row, count in zip(rows, starts, strict=True) if count < MOST_STARTS]
        fault = "the worker process ended twice while it was at this row"
        outcomes = [failed_row(row, fault) for row in rows if row not in able]
        outcomes += self._session.run(self._together, able)
        self._ask("end", ids)
        return outcomes

    async def _together(self, rows: Sequence[BatchRow]) -> list[dict[str, Any]]:
        async def outcome(row: BatchRow) -> dict[str, Any]:
            try:
                return await run_row(self._session, row, self._work)
            except (AccessError, SettingError) as error:  # once the other rows are finished
                return {STOP: _stop(error)}

        return await asyncio.gather(*map(outcome, rows))


def _stop(error: ErrataError) -> list[str]:
    name = AccessError.__name__ if isinstance(error, AccessError) else SettingError.__name__
    return [name, str(error)]
