"""Stretches of a text, found by where they stand."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")
Span = tuple[int, int]
"""Where a stretch begins and ends, in characters."""


class Spans(Generic[T]):
    """Things that each have a place in a text; a search costs what it finds, not what there is."""

    def __init__(self, items: Iterable[T], place: Callable[[T], Span]) -> None:
        """Index things by their place."""
        self._items = list(items)
        placed = sorted((place(item), number) for number, item in enumerate(self._items))
        self._order = [(end, number) for (_, end), number in placed]
        self._starts = [start for (start, _), _ in placed]
        self._furthest = list(accumulate((end for end, _ in self._order), max))

    def touching(self, start: int, end: int) -> list[T]:
        """The things that share a character with a stretch, in the order they came in."""
        last = bisect_left(self._starts, end)
        first = bisect_right(self._furthest, start, hi=last)
        return [self._items[n] for n in sorted(n for b, n in self._order[first:last] if b > start)]
