"""Rows on a Ray cluster: a class for Ray Data's `map_batches`, and the batch engine over it."""

import asyncio
import json
import logging
import os
import warnings
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from errata.batch.rows import AT_ONCE, RowError, Work, by_models, read_row, run_row
from errata.core.errors import RemoteError, SettingError, require

if TYPE_CHECKING:
    from errata.batch.run import Batch

LOCAL_ROWS = 8
"""Rows in a batch for local code, which works on them one after another."""
RESTARTS = 3
"""How often a worker that died is started anew."""
TEXTS = ("id", "response", "label", "error")
"""The columns of texts that a batch comes back in."""


class RowCorrector:
    """Corrects batches of rows: `dataset.map_batches(RowCorrector, fn_constructor_kwargs={…})`.

    Each actor has one open session. A row has `id`, `question`, `draft` and `documents`, of which
    one needs a draft or a question; it becomes `id`, `response`, `label`, `changed`, `error` and
    `result`, the whole result as JSON.
    """

    def __init__(self, method: str = "rac", *, check: bool = False, **settings: Any) -> None:
        """Open a session; `check` only judges, `settings` are fields of the method's Context.

        Raises SettingError if there is no such method or setting.
        """
        self._work = Work(method, settings, check)
        self._session = self._work.open_session().__enter__()

    def __call__(self, batch: Any) -> dict[str, list[Any]]:
        """Correct the rows of a batch all at once: Ray's columns of numpy, or a table of pyarrow.

        Raises AccessError if a model's server refuses the key or the model.
        """
        results = self._session.run(self._correct, _rows_of(batch))
        return {
            **{name: [str(each.get(name, "")) for each in results] for name in TEXTS},
            "changed": [bool(result.get("changed")) for result in results],
            "result": [json.dumps(result, ensure_ascii=False) for result in results],
        }

    async def _correct(self, batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return await asyncio.gather(*map(self._row, batch))

    async def _row(self, values: dict[str, Any]) -> dict[str, Any]:
        try:
            row = read_row(values, corrects=self._session.method.corrects)
        except RowError as error:
            return {"id": error.id, "error": str(error)}
        return await run_row(self._session, row, self._work)


@dataclass(frozen=True)
class RayEngine:
    """Reads a batch's rows by Ray Data and works on them in actors, one for each CPU.

    The cluster is the one that RAY_ADDRESS names, else one started here.
    """

    reads: ClassVar[bool] = True
    at_once: int = 0
    """The rows under way in each actor where models are asked; 0: 32."""

    def __call__(self, batch: "Batch") -> None:
        """Work on each row of a batch's source whose id is not done yet.

        Raises SettingError if no cluster answers, and RemoteError if it fails, also since a
        model's server refuses the key or the model.
        """
        if batch.is_over():
            return
        with connected() as ray:
            with warnings.catch_warnings(action="ignore"):  # that 2.64 bounds no restarts
                corrected = self._planned(ray, batch.work, batch.source, frozenset(batch.done))
            try:
                for row in corrected.iter_rows():
                    result = json.loads(row["result"])
                    if result["id"]:
                        batch.keep(result)
                    else:
                        batch.tell(RowError(result["error"]))
                    if batch.is_over():
                        return
            except ray.exceptions.RayError as error:
                last = str(error).strip().splitlines()[-1][:300]
                raise RemoteError(
                    f"the Ray cluster failed: {last} (what is done is kept; the same command goes "
                    "on)"
                ) from error

    def _planned(self, ray: Any, work: Work, place: str, done: Set[str]) -> Any:
        """The dataset of corrected rows; nothing is read yet."""
        size = (self.at_once or AT_ONCE) if by_models(work.open_session().context) else LOCAL_ROWS
        cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))
        read = ray.data.read_parquet if place.endswith(".parquet") else ray.data.read_json
        return (
            read(place)
            .map_batches(partial(_undone, done), batch_format="pyarrow")
            # A task's rows come back together: of small blocks a kill loses little.
            .repartition(target_num_rows_per_block=size)
            .map_batches(
                RowCorrector,
                fn_constructor_args=(work.method,),
                fn_constructor_kwargs={"check": work.check, **work.settings},
                batch_size=size,
                batch_format="pyarrow",  # numpy makes floats of numbers beside an empty cell
                num_cpus=0,  # on machines of one CPU none would be left for the tasks that read
                compute=ray.data.ActorPoolStrategy(min_size=1, initial_size=cpus, max_size=cpus),
                max_restarts=RESTARTS,
                max_task_retries=-1,  # each while a worker starts anew counts
            )
        )


def _rows_of(batch: Any) -> list[dict[str, Any]]:
    if hasattr(batch, "to_pylist"):
        return [*batch.to_pylist()]
    columns = (column.tolist() for column in batch.values())
    return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]


def _undone(done: Set[str], table: Any) -> Any:
    """The rows of a table whose id is not done yet, or that have none."""
    if "id" not in table.column_names:
        return table
    return table.filter([str(name) not in done for name in table["id"].to_pylist()])


@contextmanager
def connected() -> Iterator[Any]:
    """Ray, connected to the cluster that RAY_ADDRESS names, else to one started here.

    One that is open is used again. Raises SettingError if Ray is missing, or no cluster answers.
    """
    # Ray reads these when it is imported: nothing is reported home, nor written over our progress.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("the engine ray", "ray", "ray", "pandas", "pyarrow")
    import ray

    own = not ray.is_initialized()
    try:
        if own:
            ray.init(log_to_driver=False, logging_level=logging.ERROR)
            ray.data.DataContext.get_current().enable_progress_bars = False
            logging.getLogger("ray.data").setLevel(logging.ERROR)
        yield ray
    except ConnectionError as error:
        raise SettingError(f"no Ray cluster answers where RAY_ADDRESS says: {error}") from error
    finally:
        if own:
            ray.shutdown()
