"""The batch engine of many machines: Ray Data spreads rows over the workers of a Ray cluster."""

import json
import logging
import os
import signal
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from typing import Any

from errata.batch.local_engine import AT_ONCE, by_models
from errata.batch.ray_worker import NUMBER, ROWS, STOP, STOPS, TEXT, Ask, Desk, RowWorker, hand_out
from errata.batch.rows import BatchRow
from errata.batch.work import Work
from errata.core.errors import RemoteError, SettingError
from errata.core.jsonable import to_json

STORE_BYTES = 256_000_000
"""The size of the object store of a cluster started here: it holds handfuls in transit."""
REACH_SECONDS = 10.0
LOCAL_ROWS = 8
"""Rows in a handful for local code, which works on them one after another."""
HANDFUL_CHARACTERS = 4_000_000
"""A handful ends early once its rows are as long as this."""
LAID_OUT = 4
"""Handfuls put on the desk for each one at work, so that no worker waits for the driver."""


@dataclass(frozen=True)
class RayEngine:
    """Works on rows in processes on all machines of a Ray cluster, each with one open session."""

    address: str = ""
    """The cluster: HOST:PORT of its head, or `auto` on one of its machines; empty: started here."""
    workers: int = 0
    """The most processes, of a CPU each; 0: as many as the cluster has CPUs at the start."""
    at_once: int = 0
    """The most rows under way in each process where models are asked; 0: 32."""

    def __post_init__(self) -> None:
        """Raise SettingError for an address of Ray's client, which cannot feed a data set."""
        if self.address.startswith("ray://"):
            raise SettingError(
                f"{self.address}: a batch runs on a machine of the cluster, not through Ray's "
                "client; log in to one, or use `ray job submit`, and give the address auto"
            )

    def __call__(self, work: Work, rows: Iterable[BatchRow]) -> Iterator[Mapping[str, Any]]:
        """Yield each row's output row, in any order.

        Raises AccessError or SettingError if no row can be worked on, Ray is missing or no cluster
        answers, and RemoteError if the cluster fails.
        """
        models = by_models(work.open_session().context)
        size = max(1, (self.at_once or AT_ONCE) // 2) if models else LOCAL_ROWS
        with connected(self.address, self.workers):
            # While one handful's slowest row is waited for, the next is under way.
            run = _Run(work, self.workers or cpus(), calls_at_once=2 if models else 1)
            yield from run.results(handfuls(rows, size))


def handfuls(rows: Iterable[BatchRow], size: int) -> Iterator[str]:
    """JSON arrays of at most `size` rows each; rows are read lazily."""
    texts: list[str] = []
    for row in rows:
        texts.append(json.dumps(to_json(row), ensure_ascii=False))
        if len(texts) == size or sum(map(len, texts)) >= HANDFUL_CHARACTERS:
            yield f"[{','.join(texts)}]"
            texts = []
    if texts:
        yield f"[{','.join(texts)}]"


@dataclass
class _Run:
    """One data set from the first row to the last.

    A data set for every few thousand rows would wait for its slowest row and open all sessions
    again each time, so one data set is fed while it runs.
    """

    work: Work
    workers: int
    calls_at_once: int
    """Handfuls that a worker works on at the same time."""
    laid_out: set[int] = field(default_factory=set)
    """The numbers of the handfuls on the desk whose results have not come back."""
    put: int = 0

    def results(self, texts: Iterator[str]) -> Iterator[Mapping[str, Any]]:
        """The output rows of all handfuls; no more are put on the desk than workers need."""
        import ray

        desk = ray.remote(Desk).options(num_cpus=0, label_selector=driver_label()).remote()
        try:
            yield from self._results(texts, Ask(desk))
        except ray.exceptions.RayError as error:
            raise RemoteError(
                f"the Ray cluster failed: {str(error)[:300]} (what is done is kept; the same "
                "command goes on)"
            ) from error
        finally:
            ray.kill(desk)

    def _results(self, texts: Iterator[str], ask: Ask) -> Iterator[Mapping[str, Any]]:
        self._lay_out(texts, ask)
        for table in self._tables(ask):
            numbers, parts = table[NUMBER].to_pylist(), table[TEXT].to_pylist()
            for number, part in zip(numbers, parts, strict=True):
                # A handful that ran twice because a worker was lost counts once.
                if number in self.laid_out:
                    ask("done", number)
                    self.laid_out.remove(number)
                    self._lay_out(texts, ask)
                    yield from _rows_of(json.loads(part))

    def _lay_out(self, texts: Iterator[str], ask: Ask) -> None:
        """Put handfuls on the desk until there are enough or none is left."""
        most = LAID_OUT * self.workers * self.calls_at_once
        while len(self.laid_out) < most:
            text = next(texts, None)
            if text is None:
                ask("close")
                return
            ask("put", text)
            self.laid_out.add(self.put)
            self.put += 1

    def _tables(self, ask: Ask) -> Iterable[Any]:
        """The results as tables, as they come."""
        from ray.data import ActorPoolStrategy, from_items

        pool = ActorPoolStrategy(
            min_size=1,
            max_size=self.workers,
            max_concurrent_calls_per_actor=self.calls_at_once,
            enable_true_multi_threading=self.calls_at_once > 1,
        )
        with quiet_data():
            given = from_items([0], override_num_blocks=1).map_batches(
                hand_out,
                batch_format="pyarrow",
                fn_args=(ask,),
                num_cpus=0,
                label_selector=driver_label(),
            )
            done = given.map_batches(
                RowWorker,
                batch_format="pyarrow",
                batch_size=1,
                fn_constructor_args=(self.work, ask),
                compute=pool,
                num_cpus=1,
            )
            tables: Iterable[Any] = done.iter_batches(batch_size=None, batch_format="pyarrow")
        return tables


def _rows_of(results: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The output rows of a handful; then raise its fault, if it has one that ends the batch."""
    yield from results.get(ROWS, ())
    if STOP in results:
        name, fault = results[STOP]
        raise STOPS[name](fault)


@contextmanager
def connected(address: str, workers: int) -> Iterator[None]:
    """A connection to the cluster at `address`, else to one started here; an open one is reused.

    Raises SettingError if Ray is missing, or no cluster answers.
    """
    ray = _quiet_ray()
    if ray.is_initialized():
        yield
        return
    _reach(address)
    ends = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(**_options(address, workers))
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


def _quiet_ray() -> Any:
    # Ray reads these when it is imported: nothing is reported home, nor written over our progress.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise SettingError(
            f"the engine ray needs the package ray ({error}): pip install 'errata[ray]'"
        ) from error
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    return ray


def _options(address: str, workers: int) -> dict[str, Any]:
    """The arguments of `ray.init`."""
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address:
        return {"address": address, **quiet}
    own = {
        "num_cpus": workers or None,
        "object_store_memory": STORE_BYTES,
        "include_dashboard": False,
    }
    return {"address": "local", **own, **quiet}


def cpus() -> int:
    """The CPUs that the cluster has now."""
    import ray

    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def driver_label() -> dict[str, str]:
    """The label of the driver's node: what runs there is lost only if the batch is."""
    import ray

    return {"ray.io/node-id": ray.get_runtime_context().get_node_id()}


@contextmanager
def quiet_data() -> Iterator[None]:
    """Make the data sets created inside print nothing and put each row in its own block."""
    from ray.data import DataContext

    context = DataContext.get_current().copy()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # A block is cut as soon as it is larger than this: each handful starts on its way at once.
    context.target_max_block_size = 1
    with DataContext.current(context):
        yield
