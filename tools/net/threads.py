"""Blocking calls that nobody needs to wait for to the end."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def call_abandonable(call: Callable[[], T]) -> T:
    """A blocking call's result; unlike `to_thread`, a call that hangs never keeps the process."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if not future.done():
            future.set_exception(error) if error else future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = call()
        except BaseException as raised:  # noqa: BLE001 the caller's to handle
            error = raised
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    Thread(target=partial(copy_context().run, run), name="errata-call", daemon=True).start()
    return await future
