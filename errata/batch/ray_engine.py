"""The batch engine of many machines: workers of a Ray cluster, each with a session of its own."""

import asyncio
import logging
import os
import signal
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from typing import Any

from errata.batch.local_engine import AT_ONCE, by_models
from errata.batch.rows import BatchRow
from errata.batch.work import Work, failed_row, run_row
from errata.core.errors import AccessError, RemoteError, SettingError, require

STORE_BYTES = 256_000_000
"""The size of the object store of a cluster started here: it holds handfuls in transit."""
REACH_SECONDS = 10.0
LOCAL_ROWS = 8
"""Rows in a handful for local code, which works on them one after another."""
HANDFUL_CHARACTERS = 4_000_000
"""A handful ends early once its texts are as long as this."""
ROOM = 2
"""Handfuls that a worker has at a time; for local code the second waits, so that it never idles."""
Output = Mapping[str, Any]


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
        """Raise SettingError for an address of Ray's client, through which no batch runs."""
        if self.address.startswith("ray://"):
            raise SettingError(
                f"{self.address}: a batch runs on a machine of the cluster, not through Ray's "
                "client; log in to one, or use `ray job submit`, and give the address auto"
            )

    def __call__(self, work: Work, rows: Iterable[BatchRow]) -> Iterator[Output]:
        """Yield each row's output row, in any order.

        Raises AccessError or SettingError if no row can be worked on, Ray is missing or no cluster
        answers, and RemoteError if the cluster fails.
        """
        models = by_models(work.open_session().context)
        size = max(1, (self.at_once or AT_ONCE) // ROOM) if models else LOCAL_ROWS
        with connected(self.address, self.workers):
            import ray

            workers = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
            crew = _Crew(work, workers, ROOM if models else 1, handfuls(rows, size))
            try:
                yield from crew.results()
            except ray.exceptions.RayError as error:
                raise RemoteError(
                    f"the Ray cluster failed: {str(error)[:300]} (what is done is kept; the same "
                    "command goes on)"
                ) from error
            finally:
                crew.end()


def handfuls(rows: Iterable[BatchRow], size: int) -> Iterator[list[BatchRow]]:
    """At most `size` rows at a time, fewer where they are long; rows are read lazily."""
    handful, length = list[BatchRow](), 0
    for row in rows:
        handful.append(row)
        length += len(row.draft) + sum(len(document.text) for document in row.documents)
        if len(handful) == size or length >= HANDFUL_CHARACTERS:
            yield handful
            handful, length = [], 0
    if handful:
        yield handful


class RowWorker:
    """A process of the cluster: works on handfuls of rows in one open session."""

    def __init__(self, work: Work) -> None:
        """Open the session; a fault in its settings is told with the first handful."""
        self._work = work
        self._faults = list[BaseException]()
        try:
            self.session = work.open_session().__enter__()
        except (AccessError, SettingError) as error:
            self._faults.append(error)

    def run(self, rows: Sequence[BatchRow]) -> tuple[list[Output], list[BaseException]]:
        """The output rows of a handful, and the faults that end the batch."""
        outcomes = [] if self._faults else self.session.run(self._together, rows)
        faults = [each for each in outcomes if isinstance(each, BaseException)]
        done = [each for each in outcomes if not isinstance(each, BaseException)]
        return done, [*self._faults, *faults]

    async def _together(self, rows: Sequence[BatchRow]) -> list[Output | BaseException]:
        calls = (run_row(self.session, row, self._work) for row in rows)
        done: list[Output | BaseException] = await asyncio.gather(*calls, return_exceptions=True)
        return done


class _Crew:
    """The workers of a batch, and the rows that each of them has.

    When a worker dies, another is started, and the rows it had run again, each in a worker that has
    nothing else. A row whose worker dies then, too, has failed.
    """

    def __init__(
        self, work: Work, workers: int, calls_at_once: int, rows: Iterator[list[BatchRow]]
    ) -> None:
        """Start the workers, as far as the cluster has room for them."""
        import ray

        kind: Any = ray.remote(RowWorker)
        self._kind = kind.options(num_cpus=1, max_concurrency=calls_at_once)
        self._work, self._rows, self._at_end = work, rows, False
        self._again = deque[BatchRow]()
        self._room = dict[Any, int]()
        # By its reply: the worker that has a handful, the handful, and the room that it takes.
        self._under_way = dict[Any, tuple[Any, list[BatchRow], int]]()
        for _ in range(workers):
            self._start()

    def _start(self) -> None:
        worker = self._kind.remote(self._work)
        self._room[worker] = 0
        self._under_way[worker.__ray_ready__.remote()] = worker, [], ROOM

    def end(self) -> None:
        """End all workers; what they are at is dropped."""
        import ray

        for worker in self._room:
            ray.kill(worker)

    def results(self) -> Iterator[Output]:
        """The output rows; a handful is read when a worker has room for it."""
        import ray

        while self._assign():
            [reply], _ = ray.wait([*self._under_way])
            worker, rows, room = self._under_way.pop(reply)
            try:
                found = ray.get(reply)
            except ray.exceptions.RayActorError as error:
                if error.actor_init_failed:
                    raise
                yield from self._replace(worker, rows, alone=room == ROOM)
                continue
            if worker in self._room:
                self._room[worker] += room
            done, faults = found if rows else ([], [])
            yield from done
            if faults:
                raise faults[0]

    def _assign(self) -> bool:
        """Give workers what they have room for; whether any row is left or under way."""
        for worker in [*self._room] * ROOM:  # each worker's first handful before any one's second
            if self._again and self._room[worker] == ROOM:
                self._give(worker, [self._again.popleft()], ROOM)
            elif self._room[worker] and (rows := next(self._rows, None)):
                self._give(worker, rows, 1)
        self._at_end = self._at_end or any(self._room.values())
        at_work = any(rows for _, rows, _ in self._under_way.values())
        return at_work or bool(self._again) or not self._at_end

    def _give(self, worker: Any, rows: list[BatchRow], room: int) -> None:
        self._room[worker] -= room
        self._under_way[worker.run.remote(rows)] = worker, rows, room

    def _replace(self, worker: Any, rows: list[BatchRow], *, alone: bool) -> Iterator[Output]:
        """Start another worker for one that died; run its rows again, or give the one up."""
        import ray

        if self._room.pop(worker, None) is not None:
            ray.kill(worker)  # it may only be out of reach
            self._start()
        if alone:
            fault = "the worker process ended twice while it was at this row"
            yield from (failed_row(row, fault) for row in rows)
        else:
            self._again += rows


@contextmanager
def connected(address: str, workers: int) -> Iterator[None]:
    """A connection to the cluster at `address`, else to one started here; an open one is reused.

    Raises SettingError if Ray is missing, or no cluster answers.
    """
    # Ray reads these when it is imported: nothing is reported home, nor written over our progress.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("the engine ray", "ray", "ray")
    import ray

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
