"""A caller's share of the server: how many threads work for a run."""

import os
import sys
from asyncio import get_running_loop
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from math import inf
from threading import Lock, get_native_id
from time import monotonic, thread_time
from typing import Any, TypeVar

from langgraph.config import get_config

from errata.server.keys import LOCAL

T = TypeVar("T")
THREADS, MINUTE = 64, 60.0
SHARE = max(1, (os.cpu_count() or 1) // 2)
"""How many threads one caller's work has at once: half of the cores."""
LATER = 5
"""How much nicer than the event loop the threads are to other work."""


def current_caller() -> str:
    """Whose run this is; empty for a caller who needs no key, and outside of runs."""
    try:
        settings = get_config().get("configurable", {})
    except RuntimeError:
        return ""
    is_local = LOCAL in settings.get("langgraph_auth_permissions", ())
    return "" if is_local else str(settings.get("langgraph_auth_user_id", ""))


class SharedThreads(ThreadPoolExecutor):
    """A pool in which a caller's work waits for that caller's earlier work, not for others'.

    Threads take turns on Python's one lock, so long work in many of them would slow down all.
    """

    def __init__(self, threads: int = THREADS, share: int = SHARE, budget: float = inf) -> None:
        """Run at most `share` of the `threads` for one caller, for `budget` CPU seconds a minute.

        A caller who was idle may spend a minute's budget at once.
        """
        super().__init__(threads, initializer=_give_way)
        self._share, self._lock, self._loop = share, Lock(), get_running_loop()
        self._price = MINUTE / budget
        self._paid_up = dict[str, float]()
        self._busy = Counter[str]()
        self._waiting: defaultdict[str, deque[Callable[[], None]]] = defaultdict(deque)

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run work in a thread, once its caller has one to spare."""
        caller = current_caller()
        if not caller:
            return super().submit(work, *args, **kwargs)
        future = Future[T]()
        run = partial(_run, future, partial(work, *args, **kwargs))
        with self._lock:
            if self._busy[caller] >= self._share:
                self._waiting[caller].append(run)
                return future
            self._busy[caller] += 1
        self._queue(caller, run)
        return future

    def _queue(self, caller: str, run: Callable[[], None]) -> None:
        """Have a piece of work queue for a thread once the caller's budget allows it."""
        later = partial(super().submit, self._work_off, caller, run)
        wait = self._paid_up.get(caller, 0.0) - monotonic()
        if wait > 0:
            self._loop.call_soon_threadsafe(self._loop.call_later, wait, later)
        else:
            later()

    def _work_off(self, caller: str, run: Callable[[], None]) -> None:
        """Run a piece of work and book its time, then have the caller's next one queue."""
        began = thread_time()
        run()
        with self._lock:
            # A second of work is paid for in a minute's share of the budget.
            idle = monotonic() - MINUTE
            paid_up = max(idle, self._paid_up.get(caller, idle))
            self._paid_up[caller] = paid_up + (thread_time() - began) * self._price
            if not self._waiting[caller]:
                del self._waiting[caller]
                self._busy[caller] -= 1
                return
            following = self._waiting[caller].popleft()
        self._queue(caller, following)


def _give_way() -> None:
    """Let the event loop, which all callers wait for, come before this thread; Linux only."""
    if sys.platform == "linux":
        first = os.getpriority(os.PRIO_PROCESS, os.getpid())
        os.setpriority(os.PRIO_PROCESS, get_native_id(), first + LATER)


def _run(future: "Future[T]", work: Callable[[], T]) -> None:
    """Do the work for a future that nobody has cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001  whoever waits for the future raises it
        future.set_exception(error)
