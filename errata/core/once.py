"""What is made once for all threads, and locks that are free in a fork."""

import os
from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class MadeOnce(Generic[P, T]):
    """As `functools.cache`, but threads that call at the same time share one result."""

    def __init__(self, make: Callable[P, T]) -> None:
        """Make nothing yet."""
        self._make = make
        self._made: dict[Any, T] = {}
        self._locks: dict[int, Lock] = {}
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The result for these arguments, made at the first call."""
        key = (args, *kwargs.items())
        if key not in self._made:
            # A fork has a lock of its own: that of its parent may be held for ever.
            with self._locks.setdefault(os.getpid(), Lock()):
                if key not in self._made:
                    self._made[key] = self._make(*args, **kwargs)
        return self._made[key]

    def cache_clear(self) -> None:
        """Make it anew the next time."""
        self._made.clear()


def free_in_forks() -> Lock:
    """A lock for short work that is free in every fork: forking waits until nobody holds it."""
    lock = Lock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock
