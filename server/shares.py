"""A caller's share of the server: how many threads work for a run, and how long."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from math import inf
from threading import Event, Lock, get_native_id
from time import monotonic, thread_time
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from langgraph.config import get_config

from errata.server.keys import LOCAL

T = TypeVar("T")
THREADS = 64
"""How many threads work for callers who need no key, and outside of runs."""
MINUTE = 60.0
SHARE = max(1, (os.cpu_count() or 1) // 2)
"""How many threads one caller's work has at once: half of the cores."""
LATER = 5
"""How much nicer than the event loop the threads are to other work."""


def current_caller() -> str:
    """Whose run this is; empty for a caller who needs no key, and outside of runs."""
    try:
        name = get_config().get("configurable", {}).get("langgraph_auth_user_id", "")
    except RuntimeError:
        return ""
    return "" if name == LOCAL else str(name)


class SharedThreads(ThreadPoolExecutor):
    """Threads of which each caller has a few, so that work waits for its caller's own alone.

    Threads take turns on Python's one lock, so long work in many of them would slow down all.
    """

    def __init__(self, share: int = SHARE, budget: float = inf) -> None:
        """Give each caller `share` threads and `budget` CPU seconds a minute."""
        super().__init__(THREADS, initializer=_give_way)
        self._share, self._price = share, MINUTE / budget
        self._pools = WeakValueDictionary[str, ThreadPoolExecutor]()
        self._paid_up = dict[str, float]()
        self._lock, self._closing = Lock(), Event()

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run work in a thread, once its caller has one to spare."""
        caller = current_caller()
        if not caller:
            return super().submit(work, *args, **kwargs)
        with self._lock:
            pool = self._pools.get(caller) or ThreadPoolExecutor(self._share, initializer=_give_way)
            self._pools[caller] = pool
        future = pool.submit(self._work_off, caller, partial(work, *args, **kwargs))
        future.add_done_callback(lambda _: pool)  # which ends with the last of its work
        return future

    def _work_off(self, caller: str, work: Callable[[], T]) -> T:
        """Do a piece of work once its caller's budget allows it, and book its time."""
        self._closing.wait(max(0.0, self._paid_up.get(caller, 0.0) - monotonic()))
        began = thread_time()
        try:
            return work()
        finally:
            idle = monotonic() - MINUTE
            with self._lock:
                # A second of work is paid for in a minute's share of the budget.
                paid_up = max(idle, self._paid_up.get(caller, idle))
                self._paid_up[caller] = paid_up + (thread_time() - began) * self._price

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads; what waits for its budget waits no more."""
        self._closing.set()
        super().shutdown(wait, cancel_futures=cancel_futures)


def _give_way() -> None:
    """Let the event loop, which all callers wait for, come before this thread; Linux only."""
    if sys.platform == "linux":
        first = os.getpriority(os.PRIO_PROCESS, os.getpid())
        os.setpriority(os.PRIO_PROCESS, get_native_id(), first + LATER)
