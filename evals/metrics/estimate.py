"""Estimates from sums over items, so that a metric can be drawn again and again.

Every metric here is a function of sums: an item adds its counts, such as how many of its facts are
true and how many of those are kept. Facts of one item stand or fall together, so the bootstrap
draws items, never facts (a cluster bootstrap; Efron and Tibshirani 1993, chapters 8 and 13).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errata.evals.items import Figure

Sums = NDArray[np.float64]
"""Sums of counts, along the last axis."""
Counts = Sequence[float]
"""What one item adds to each sum; empty where it adds nothing."""
DRAWS, SEED = 2000, 0
TAILS = (2.5, 97.5)
"""The percentiles between which the 95% interval lies."""


@dataclass(frozen=True)
class Statistic:
    """A number that follows from sums."""

    compute: Callable[[Sums], Sums]
    width: int = 4
    """How many sums there are: a part and the whole, or both of each of two classes."""

    def value(self, sums: Counts | Sums) -> Sums:
        """The number, or one for each row of sums; nan where it has no value."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.compute(np.asarray(sums, dtype=float)))

    def draw(self, table: Sums) -> Sums:
        """Of many samples of as many items, with replacement; seeded."""
        items = len(table)
        times = np.random.default_rng(SEED).multinomial(items, [1 / items] * items, size=DRAWS)
        return self.value(times @ table)

    def table(self, rows: Sequence[Counts]) -> Sums:
        """A row of counts for each item."""
        filled = [row if len(row) else [0.0] * self.width for row in rows]
        return np.array(filled, dtype=float).reshape(len(rows), self.width)


def _f1(sums: Sums) -> Sums:
    """F1 of the first class: 2 tp / (2 tp + fn + fp); 0 where nothing is found."""
    right, own, other_right, other = (sums[..., n] for n in range(4))
    return np.asarray(2 * right / (right + own + other - other_right))


SHARE = Statistic(lambda s: s[..., 0] / s[..., 1], width=2)
"""A share or mean of two sums: the part, the whole."""
BALANCED = Statistic(lambda s: (s[..., 0] / s[..., 1] + s[..., 2] / s[..., 3]) / 2)
"""Balanced accuracy of four sums: right and all of the true ones, right and all of the false."""
F1_TRUE = Statistic(_f1)
"""F1 of the class "true", of the same sums."""
F1_FALSE = Statistic(lambda s: _f1(s[..., [2, 3, 0, 1]]))
"""F1 of the class "false", which has an error, of the same sums."""
ACCURACY = Statistic(lambda s: (s[..., 0] + s[..., 2]) / (s[..., 1] + s[..., 3]))
"""Accuracy of the same sums."""


def confusion(pairs: Sequence[tuple[bool, bool | None]]) -> Counts:
    """Count what is right and all of each class, from pairs of what is so and what was said.

    Who says None is wrong.
    """
    said = {label: [call for known, call in pairs if known == label] for label in (True, False)}
    return [n for label, calls in said.items() for n in (calls.count(label), len(calls))]


def estimate(statistic: Statistic, by_item: Mapping[str, Counts]) -> Figure:
    """The statistic of all items' counts, with its 95% interval by percentiles.

    No interval is drawn of one item, or where the resamples' statistic has no value.
    """
    table = statistic.table(list(by_item.values()))
    total = table.sum(0)
    value = float(statistic.value(total))
    if np.isnan(value):
        return Figure(None, count=0)
    low, high = _interval(statistic.draw(table)) if len(table) > 1 else (None, None)
    return Figure(value, low, high, int(total[1::2].sum()))


def _interval(drawn: Sums) -> tuple[float | None, float | None]:
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return None, None
    low, high = np.percentile(known, TAILS)
    return float(low), float(high)
