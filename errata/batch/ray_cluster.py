"""A Ray cluster: connected to, or started on this machine, quiet and reporting nothing home."""

import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

from errata.core.errors import SettingError

STORE_BYTES = 256_000_000
"""The object store of a cluster started here: it holds handfuls on their way."""
REACH_SECONDS = 10.0


@contextmanager
def connected(address: str, workers: int) -> Iterator[None]:
    """A connection to the cluster at `address`, else to one started here; an open one is used.

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
        # Ray ends the process at a SIGTERM, where the batch puts its rows in order first.
        if current_thread() is main_thread():
            signal.signal(signal.SIGTERM, ends)
        yield
    except ConnectionError as error:
        raise SettingError(f"no Ray cluster answers at {address}: {error}") from error
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raise SettingError if nothing listens at HOST:PORT, of which Ray asks for minutes."""
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
    """What ray.init is told."""
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
    """The label of the driver's node, whose end is the batch's end anyway."""
    import ray

    return {"ray.io/node-id": ray.get_runtime_context().get_node_id()}


@contextmanager
def quiet_data() -> Iterator[None]:
    """Data sets made within say nothing, and hold each row in a block of its own."""
    from ray.data import DataContext

    context = DataContext.get_current().copy()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # A block is cut as soon as it is larger than this: each handful starts on its way at once.
    context.target_max_block_size = 1
    with DataContext.current(context):
        yield
