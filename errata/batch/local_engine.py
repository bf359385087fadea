"""The engine of one machine: rows under way together in the event loop of one session."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from errata.batch.work import run_row
from errata.nodes.context import Context
from errata.session import Session

if TYPE_CHECKING:
    from errata.batch.run import Batch

AT_ONCE = 32
"""The most rows under way at once where models are asked."""


def by_models(context: Context) -> bool:
    """Whether any role is filled by a model, so that rows wait for servers more than for cores."""
    return any(context.by_model(role) for role in context.ROLES)


@dataclass(frozen=True)
class LocalEngine:
    """Works on rows in this process: many at once where models are asked, else one by one."""

    at_once: int = 0
    """The most rows under way where models are asked; 0: 32."""

    def __call__(self, batch: "Batch") -> None:
        """Work on a batch's rows; none is read before there is room for it.

        Raises AccessError or SettingError if no row can be worked on; rows under way are dropped.
        """
        with batch.work.open_session() as session:
            session.run(self._work_through, session, batch)

    async def _work_through(self, session: Session, batch: "Batch") -> None:
        rows = batch.rows()

        async def take_rows() -> None:
            for row in rows:
                while wait := session.context.seconds_refused():  # noqa: ASYNC110  none tells of it
                    await asyncio.sleep(wait)
                batch.keep(await run_row(session, row, batch.work))

        most = (self.at_once or AT_ONCE) if by_models(session.context) else 1
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(most):
                    group.create_task(take_rows())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
