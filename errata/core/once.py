"""What is made once for all threads."""

import os
from collections.abc import Callable
from functools import cache, update_wrapper
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class MadeOnce(Generic[P, T]):
    """As `functools.cache`, but threads that call at the same time share one result."""

    def __init__(self, make: Callable[P, T]) -> None:
        """Make nothing yet."""
        self._made: Any = cache(make)
        self._renew_lock()
        update_wrapper(self, make)
        if hasattr(os, "register_at_fork"):  # its parent's lock may be held for ever
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = RLock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The result for these arguments, made at the first call."""
        with self._lock:
            made: T = self._made(*args, **kwargs)
            return made
