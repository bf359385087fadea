"""The batch engine of many machines: Ray Data spreads rows over the workers of a Ray cluster."""

import json
import logging
import os
import signal
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from threading import current_thread, main_thread
from typing import Any

from errata.batch.local_engine import AT_ONCE, by_models
from errata.batch.ray_worker import (
    NUMBER,
    ROWS,
    STOP,
    STOPS,
    TEXT,
    Ask,
    Desk,
    RowWorker,
    ask_actor,
    hand_out,
)
from errata.batch.rows import BatchRow
from errata.batch.work import Work
from errata.core.errors import RemoteError, SettingError, require
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
            import ray

            workers = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
            # While one handful's slowest row is waited for, the next is under way.
            yield from _results(work, workers, 2 if models else 1, handfuls(rows, size))


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


def _results(
    work: Work, workers: int, calls_at_once: int, texts: Iterator[str]
) -> Iterator[Mapping[str, Any]]:
    """The output rows of all handfuls; no more are put on the desk than workers need.

    One data set is fed while it runs: one for every few thousand rows would wait for its slowest
    row and open all sessions again each time. `calls_at_once` is how many handfuls a worker works
    on at the same time.
    """
    import ray

    desk = ray.remote(Desk).options(num_cpus=0, label_selector=driver_label()).remote()
    ask = partial(ask_actor, desk)
    numbers, laid_out = count(), set[int]()  # on the desk, with no results yet

    def lay_out() -> None:
        while len(laid_out) < LAID_OUT * workers * calls_at_once:
            text = next(texts, None)
            if text is None:
                ask("close")
                return
            ask("put", text)
            laid_out.add(next(numbers))

    try:
        lay_out()
        for table in _tables(work, workers, calls_at_once, ask):
            parts = zip(table[NUMBER].to_pylist(), table[TEXT].to_pylist(), strict=True)
            # A handful that ran twice because a worker was lost counts once.
            for number, part in (each for each in parts if each[0] in laid_out):
                ask("done", number)
                laid_out.remove(number)
                lay_out()
                results = json.loads(part)
                yield from results.get(ROWS, ())
                if STOP in results:
                    name, fault = results[STOP]
                    raise STOPS[name](fault)
    except ray.exceptions.RayError as error:
        raise RemoteError(
            f"the Ray cluster failed: {str(error)[:300]} (what is done is kept; the same "
            "command goes on)"
        ) from error
    finally:
        ray.kill(desk)


def _tables(work: Work, workers: int, calls_at_once: int, ask: Ask) -> Iterable[Any]:
    """The results as tables, as they come."""
    from ray.data import ActorPoolStrategy, DataContext, from_items

    context = DataContext.get_current().copy()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # A block is cut as soon as it is larger than this: each handful starts on its way at once.
    context.target_max_block_size = 1
    pool = ActorPoolStrategy(
        min_size=1,
        max_size=workers,
        max_concurrent_calls_per_actor=calls_at_once,
        enable_true_multi_threading=calls_at_once > 1,
    )
    with DataContext.current(context):
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
            fn_constructor_args=(work, ask),
            compute=pool,
            num_cpus=1,
        )
        tables: Iterable[Any] = done.iter_batches(batch_size=None, batch_format="pyarrow")
    return tables


@contextmanager
def connected(address: str, workers: int) -> Iterator[None]:
    """A connection to the cluster at `address`, else to one started here; an open one is reused.

    Raises SettingError if Ray is missing, or no cluster answers.
    """
    # Ray reads these when it is imported: nothing is reported home, nor written over our progress.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("the engine ray", "ray", "ray", "pyarrow")
    import ray
    import ray.data

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    if ray.is_initialized():
        yield
        return
    _reach(address)
    options: dict[str, Any] = {"address": address}
    if not address:
        options = {
            "address": "local",
            "num_cpus": workers or None,
            "object_store_memory": STORE_BYTES,
            "include_dashboard": False,
        }
    ends = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
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


def driver_label() -> dict[str, str]:
    """The label of the driver's node: what runs there is lost only if the batch is."""
    import ray

    return {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
