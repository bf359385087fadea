"""A claim among those of its draft: where its neighbours are false, it is more often false, too."""

from collections.abc import Sequence

REACH = 3
"""How many claims on each side are a claim's neighbours."""
LIMIT = 6.0
"""No claim counts for more than these log odds."""


def near_odds(odds: Sequence[float]) -> list[float]:
    """For each claim of a draft the sum of its neighbours' log odds, over their number plus one.

    A claim by itself has 0; a single neighbour counts half.

    >>> near_odds([2.0, 4.0, -1.0])
    [1.0, 0.3333333333333333, 2.0]
    """
    clamped = [clamp(value) for value in odds]
    near = []
    for place in range(len(clamped)):
        before = clamped[max(0, place - REACH) : place]
        after = clamped[place + 1 : place + 1 + REACH]
        near.append(sum(before + after) / (len(before) + len(after) + 1))
    return near


def clamp(odds: float) -> float:
    """Log odds within the limit."""
    return max(-LIMIT, min(LIMIT, odds))
