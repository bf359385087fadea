"""What was found in short texts, remembered: many steps of a run read the same sentences."""

from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import TypeVar

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
