"""Findings in short texts, which many steps of a run read, remembered; and what is made once."""

import os
from collections.abc import Callable, Iterable
from functools import lru_cache, update_wrapper, wraps
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 500
"""How many characters a text may have whose findings are remembered, for the memory they take."""


def remember_short(size: int) -> Callable[[Callable[[str], Iterable[T]]], Callable[[str], list[T]]]:
    """Remember what a function finds in the last `size` texts that are short."""

    def decorate(find: Callable[[str], Iterable[T]]) -> Callable[[str], list[T]]:
        @lru_cache(maxsize=size)
        def remembered(text: str) -> tuple[T, ...]:
            return tuple(find(text))

        @wraps(find)
        def call(text: str) -> list[T]:
            return list(remembered(text) if len(text) <= LONGEST else find(text))

        return call

    return decorate


class MadeOnce(Generic[P, T]):
    """As `functools.cache`, by which each of several threads that ask at once makes its own."""

    def __init__(self, make: Callable[P, T]) -> None:
        """Nothing is made yet."""
        self._make = make
        self._made: dict[Any, T] = {}
        self._locks: dict[int, Lock] = {}
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """What is made of these arguments."""
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
