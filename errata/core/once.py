"""What is made once for all threads."""

import os
from collections.abc import Callable
from functools import cache, wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def made_once(make: Callable[P, T]) -> Callable[P, T]:
    """As `functools.cache`, but threads that call at the same time share one result."""
    made: Any = cache(make)
    locks = [RLock()]
    if hasattr(os, "register_at_fork"):  # its parent's lock may be held for ever
        os.register_at_fork(after_in_child=lambda: locks.__setitem__(0, RLock()))

    @wraps(make)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        with locks[0]:
            result: T = made(*args, **kwargs)
            return result

    return call
