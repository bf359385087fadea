"""What stands between a batch's driver and its Ray workers, outside any process that may die."""

import asyncio
from collections import Counter
from collections.abc import Sequence


class Desk:
    """Handfuls of rows by number, until they are done, and the rows that workers are at.

    A handful can be taken again as long as it is not done, so that Ray may run any task twice.
    """

    def __init__(self) -> None:
        """Start with nothing on it."""
        self._open: dict[int, str] = {}
        self._put, self._closed = 0, False
        self._changed = asyncio.Condition()
        self._starts: Counter[str] = Counter()

    async def put(self, handful: str) -> None:
        """Lay down the next handful: rows as JSON text."""
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
        """A handful, once it is there; empty if it is done, None behind the last one."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._closed or number < self._put)
        return self._open.get(number, "") if number < self._put else None

    async def done(self, number: int) -> None:
        """Forget a handful whose results the driver has."""
        self._open.pop(number, None)

    async def starts(self, ids: Sequence[str]) -> list[int]:
        """How often each row was started by a worker that did not come to its end."""
        return [self._starts[row] for row in ids]

    async def start(self, ids: Sequence[str]) -> list[int]:
        """Note that a worker is at these rows; how often each was started in vain before."""
        before = await self.starts(ids)
        self._starts.update(ids)
        return before

    async def end(self, ids: Sequence[str]) -> None:
        """Forget rows that their worker has come through."""
        for row in ids:
            del self._starts[row]
