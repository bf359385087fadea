"""Async calls run to their end from plain code, whether or not an event loop runs there."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import ContextVar, copy_context
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from errata.tools.models.pool import close_loop_models

P = ParamSpec("P")
T = TypeVar("T")
Call = Callable[..., Coroutine[Any, Any, T]]


def run_once(call: Call[T], *args: Any) -> T:
    """Run a call in an event loop of its own, with models of its own that are closed after it."""
    work, inside = _closing_models(call, *args), True
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        inside = False
    if not inside:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(copy_context().run, asyncio.run, work).result()


def plain(call: Callable[P, Coroutine[Any, Any, T]], *, method: bool = False) -> Callable[P, T]:
    """The plain form of an async function `aNAME`; that of a method is run by its owner's `run`."""

    @wraps(call)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        owner: Any = args[0] if method else None
        begin: Callable[[Call[T]], T] = owner.run if method else run_once
        return begin(partial(call, *args, **kwargs))

    own = call.__name__
    run.__name__, run.__qualname__ = own[1:], call.__qualname__.removesuffix(own) + own[1:]
    return run


async def _closing_models(call: Call[T], *args: Any) -> T:
    try:
        return await call(*args)
    finally:
        await close_loop_models()


class LoopThread:
    """An event loop in a thread of its own, for calls from any thread."""

    def __init__(self) -> None:
        """Start the thread and its loop."""
        self._process = os.getpid()
        self._ending: AbstractContextManager[BlockingPortal] = start_blocking_portal("asyncio")
        self._portal = self._ending.__enter__()

    def run(self, call: Call[T], *args: Any) -> T:
        """Run a call in this loop; from inside one of its own calls, or in a fork, in another."""
        if _INSIDE.get() is self._portal or os.getpid() != self._process:
            return run_once(call, *args)
        token = _INSIDE.set(self._portal)  # the call's task takes this context along
        try:
            future: Future[T] = self._portal.start_task_soon(call, *args)
        finally:
            _INSIDE.reset(token)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Close the loop's models, and end it with its thread; do nothing in a fork."""
        if os.getpid() == self._process:
            try:
                self._portal.call(close_loop_models)
            finally:
                self._ending.__exit__(None, None, None)


_INSIDE: ContextVar[BlockingPortal | None] = ContextVar("errata.portal", default=None)
