"""Rows on a Ray cluster: a class for Ray Data's `map_batches`, and the batch engine over it."""

import asyncio
import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from errata.batch.rows import AT_ONCE, BatchRow, RowError, RowWork, by_models, read_row, run_row
from errata.core.errors import AccessError, RemoteError, SettingError, require

if TYPE_CHECKING:
    from errata.batch.run import Batch

LOCAL_ROWS = 8
"""Rows in a batch for local code, which works on them one after another."""
RESTARTS = 3
TEXTS = ("id", "response", "label", "error")


class RowCorrector:
    """Corrects batches of rows: `dataset.map_batches(RowCorrector, fn_constructor_kwargs={…})`.

    Each actor has one open session. A row has `id`, `question`, `draft` and `documents`, of which
    one needs a draft or a question; it becomes `id`, `response`, `label`, `changed`, `error` and
    `result`, the whole result as JSON.
    """

    def __init__(self, method: str = "rac", *, check: bool = False, **settings: Any) -> None:
        """Open a session; `check` only judges, `settings` are fields of the method's Context."""
        self._work = RowWork(method, settings, check)
        self._session = self._work.open_session().__enter__()

    def __call__(self, batch: Any) -> dict[str, list[Any]]:
        """Correct the rows of a batch, Ray's columns of numpy, all at once."""
        columns = [column.tolist() for column in batch.values()]
        rows = [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]
        results = self._session.run(self._correct, rows)
        return {
            **{name: [str(each.get(name, "")) for each in results] for name in TEXTS},
            "changed": [bool(result.get("changed")) for result in results],
            "result": [json.dumps(result, ensure_ascii=False) for result in results],
        }

    def work_on(self, rows: Sequence[BatchRow]) -> list[dict[str, Any]]:
        """The output rows of a batch's rows."""
        return self._session.run(self._correct, rows)

    async def _correct(self, rows: Sequence[BatchRow | dict[str, Any]]) -> list[dict[str, Any]]:
        return await asyncio.gather(*map(self._row, rows))

    async def _row(self, row: BatchRow | dict[str, Any]) -> dict[str, Any]:
        try:
            if isinstance(row, dict):
                row = read_row(row, corrects=self._session.method.corrects)
        except RowError as error:
            return {"id": error.id, "error": str(error)}
        return await run_row(self._session, row, self._work)


@dataclass(frozen=True)
class RayEngine:
    """Works on rows in actors, one for each CPU of RAY_ADDRESS's cluster, or one started here."""

    at_once: int = 0
    """The rows under way in each actor where models are asked; 0: 32."""

    def __call__(self, batch: "Batch") -> None:
        """Work on a batch's rows; raises as `Engine` says, and RemoteError if the cluster fails."""
        work, rows = batch.work, batch.rows()
        size = (self.at_once or AT_ONCE) if by_models(work.open_session().context) else LOCAL_ROWS
        with connected() as ray:
            # Without CPUs of its own a worker of a machine that died starts anew on any other.
            bounds = {"num_cpus": 0, "max_restarts": RESTARTS, "max_task_retries": -1}
            worker = ray.remote(**bounds, scheduling_strategy="SPREAD")(RowCorrector)
            settings = {"check": work.check, **work.settings}
            workers = range(max(1, int(ray.cluster_resources().get("CPU", 1))))
            pool = ray.util.ActorPool([worker.remote(work.method, **settings) for _ in workers])
            try:
                for part in iter(lambda: [*islice(rows, size)], []):
                    pool.submit(lambda actor, part: actor.work_on.remote(part), part)
                    if not pool.has_free():
                        _keep(batch, pool.get_next_unordered())
                while pool.has_next():
                    _keep(batch, pool.get_next_unordered())
            except ray.exceptions.RayError as error:
                if isinstance(own := getattr(error, "cause", None), AccessError | SettingError):
                    raise own from None
                last = str(error).strip().splitlines()[-1][:300]
                advice = "what is done is kept; the same command goes on"
                raise RemoteError(f"the Ray cluster failed: {last} ({advice})") from error


def _keep(batch: "Batch", results: Sequence[dict[str, Any]]) -> None:
    for result in results:
        batch.keep(result)


@contextmanager
def connected() -> Iterator[Any]:
    """Ray, open already or where RAY_ADDRESS says; raises SettingError if there is none."""
    # Ray reads these when it is imported: nothing is reported home, nor written over our progress.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("the engine ray", "ray", "ray", "pandas", "pyarrow")
    import ray
    import ray.util

    own = not ray.is_initialized()
    try:
        if own:
            ray.init(log_to_driver=False, logging_level=logging.ERROR)
        yield ray
    except ConnectionError as error:
        raise SettingError(f"no Ray cluster answers where RAY_ADDRESS says: {error}") from error
    finally:
        if own:
            ray.shutdown()
