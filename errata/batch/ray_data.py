"""Rows on a Ray cluster: a class for Ray Data's `map_batches`, and the batch engine over it."""

import asyncio
import json
import logging
import os
import signal
import socket
import warnings
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import current_thread, main_thread
from typing import Any

from errata.batch.local_engine import AT_ONCE, by_models
from errata.batch.output import digest
from errata.batch.rows import FORM, BatchRow, read_row
from errata.batch.work import Work, run_row
from errata.core.errors import ErrataError, InputError, RemoteError, SettingError, require

LOCAL_ROWS = 8
"""Rows in a batch for local code, which works on them one after another."""
TRIES = 3
"""How often a batch of rows begins again whose worker dies."""
CPUS = 0.5
"""What a worker reserves of a CPU; the rest is for the tasks that read."""
REACH_SECONDS = 10.0
STORE_BYTES = 256_000_000
"""The size of the object store of a cluster started here."""
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
        row = read_row(values, "", 0, corrects=self._session.method.corrects)
        if isinstance(row, BatchRow):
            return await run_row(self._session, row, self._work)
        return {"id": row.id, "error": row.error}


@dataclass(frozen=True)
class RayEngine:
    """Reads a batch's rows by Ray Data and works on them in actors, each with one open session."""

    address: str = ""
    """The cluster: HOST:PORT of its head, or `auto` on one of its machines; empty: started here."""
    workers: int = 0
    """How many actors; 0: as many as the cluster has CPUs."""
    at_once: int = 0
    """The rows under way in each actor where models are asked; 0: 32."""

    def __post_init__(self) -> None:
        """Raise SettingError for an address of Ray's client, through which no batch runs."""
        if self.address.startswith("ray://"):
            raise SettingError(
                f"{self.address}: a batch runs on a machine of the cluster, not through Ray's "
                "client; log in to one, or use `ray job submit`, and give the address auto"
            )

    def __call__(self, work: Work, place: str, done: Set[int]) -> Iterator[Mapping[str, Any]]:
        """Yield the output row of each row at a place whose id is not done yet, in any order.

        Raises AccessError or SettingError if no row can be worked on, and RemoteError if the
        cluster fails.
        """
        size = (self.at_once or AT_ONCE) if by_models(work.open_session().context) else LOCAL_ROWS
        with connected(self.address, self.workers):
            yield from self._results(work, place, frozenset(done), size)

    def _results(
        self, work: Work, place: str, done: Set[int], size: int
    ) -> Iterator[Mapping[str, Any]]:
        import ray

        with warnings.catch_warnings(action="ignore"):  # that 2.64 bounds no restarts
            corrected = self._planned(ray.data, work, place, done, size)
        try:
            for row in corrected.iter_rows():
                yield json.loads(row["result"])
        except ray.exceptions.RayError as error:
            if refusal := _refusal(error):
                raise refusal from error
            raise RemoteError(
                f"the Ray cluster failed: {str(error)[:300]} (what is done is kept; the same "
                "command goes on)"
            ) from error

    def _planned(self, data: Any, work: Work, place: str, done: Set[int], size: int) -> Any:
        """The dataset of corrected rows; nothing is read yet."""
        read = data.read_parquet if place.endswith(".parquet") else data.read_json
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
                num_cpus=CPUS,
                compute=data.ActorPoolStrategy(min_size=1, max_size=self.workers or _cpus()),
                max_restarts=TRIES,
                max_task_retries=TRIES,
            )
        )


def _rows_of(batch: Any) -> list[dict[str, Any]]:
    if hasattr(batch, "to_pylist"):
        return [*batch.to_pylist()]
    columns = (column.tolist() for column in batch.values())
    return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]


def _undone(done: Set[int], table: Any) -> Any:
    """The rows of a table whose id is not done yet; raises InputError if rows have no id."""
    if "id" not in table.column_names:
        raise InputError(f"the rows have no id; {FORM}")
    return table.filter([digest(str(name)) not in done for name in table["id"].to_pylist()])


def _refusal(error: BaseException | None) -> BaseException | None:
    """Why no row can be worked on, if that is what a worker's error was caused by."""
    while error and not isinstance(error, ErrataError):
        error = getattr(error, "cause", None) or error.__cause__
    return error


def _cpus() -> int:
    import ray

    return max(1, int(ray.cluster_resources().get("CPU", 1)))


@contextmanager
def connected(address: str, workers: int) -> Iterator[None]:
    """A connection to the cluster at `address`, else to one started here; an open one is reused.

    Raises SettingError if Ray is missing, or no cluster answers.
    """
    # Ray reads these when it is imported: nothing is reported home, nor written over our progress.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("the engine ray", "ray", "ray", "pandas", "pyarrow")
    import ray

    if ray.is_initialized():
        yield
        return
    _reach(address)
    options: dict[str, Any] = {"address": address}
    if not address:
        options = {"address": "local", "num_cpus": workers or None, "include_dashboard": False}
        options["object_store_memory"] = STORE_BYTES
    ends = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        # Ray's handler ends the process at a SIGTERM; the batch's finishes the rows first.
        if current_thread() is main_thread():
            signal.signal(signal.SIGTERM, ends)
        yield
    except ConnectionError as error:
        raise SettingError(f"no Ray cluster answers at {address}: {error}") from error
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raise SettingError if nothing listens at HOST:PORT, which Ray would try for minutes."""
    if address in {"", "auto"}:
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=REACH_SECONDS).close()
    except (OSError, ValueError) as error:
        raise SettingError(
            f"no Ray cluster answers at {address!r} ({error}); give HOST:PORT of its head node, "
            "auto on a machine of the cluster, or no address for this machine alone"
        ) from error
