"""A caller's share of the server: how many calls are under way, and how many threads work."""

import os
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from langgraph.config import get_config

from errata.core.errors import InputError, count
from errata.server.keys import LOCAL

T = TypeVar("T")
THREADS = 64
SHARE = max(1, (os.cpu_count() or 1) // 2)
"""How many threads one caller's work has at once: half of the cores."""
MCP_CALLER: ContextVar[str] = ContextVar("errata.mcp_caller", default="")
"""Who made the MCP call under way; runs know their caller from their configuration."""
_calls: Counter[str] = Counter()


@contextmanager
def slot(caller: str, most: int) -> Iterator[None]:
    """Count a call over MCP while it runs in this process; an empty caller has no limit.

    Raises InputError if `most` calls of the caller run.
    """
    if caller and _calls[caller] >= most:
        raise InputError(f"{count(most, 'call')} of yours under way; wait for one to end")
    _calls[caller] += 1
    token = MCP_CALLER.set(caller)
    try:
        yield
    finally:
        MCP_CALLER.reset(token)
        _calls[caller] -= 1


def current_caller() -> str:
    """Whose run or call this is; empty for a caller who needs no key, and outside of runs."""
    try:
        settings = get_config().get("configurable", {})
    except RuntimeError:
        return MCP_CALLER.get()
    if LOCAL in settings.get("langgraph_auth_permissions", ()):
        return ""
    return str(settings.get("langgraph_auth_user_id", "")) or MCP_CALLER.get()


class SharedThreads(ThreadPoolExecutor):
    """A pool in which a caller's work waits for that caller's earlier work, not for others'.

    Threads take turns on Python's one lock, so long work in many of them would slow down all.
    """

    def __init__(self, threads: int = THREADS, share: int = SHARE) -> None:
        """Run at most `share` of the `threads` for one caller."""
        super().__init__(threads)
        self._share, self._lock = share, Lock()
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
        super().submit(self._work_off, caller, run)
        return future

    def _work_off(self, caller: str, run: Callable[[], None]) -> None:
        """Run a piece of work, then have the caller's next one queue for a thread."""
        run()
        with self._lock:
            if not self._waiting[caller]:
                del self._waiting[caller]
                self._busy[caller] -= 1
                return
            following = self._waiting[caller].popleft()
        super().submit(self._work_off, caller, following)


def _run(future: "Future[T]", work: Callable[[], T]) -> None:
    """Do the work for a future that nobody has cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001  whoever waits for the future raises it
        future.set_exception(error)
