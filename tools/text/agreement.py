"""Whether one quantity bears another out: units, ranges, roundings, hedges and limits."""

import re
from math import inf

from errata.tools.text.quantities import Quantity

_TOTAL = re.compile(r"\b(?:in all|in total|altogether|combined|overall|together)\b")
_NEAR, _CLOSE, _ROUNDED, _CONVERTED = 0.1, 0.03, 0.02, 0.02
"""How far, as a share, a hedged number may be off at most and at least, a rounded and a converted
one."""


def is_alike(claimed: Quantity, stated: Quantity) -> bool:
    """Whether two quantities are of the same dimension, or count the same things."""
    measured = claimed.counted or claimed.kind != "count"
    same_kind = (claimed.kind, claimed.counted) == (stated.kind, stated.counted)
    return bool(measured) and same_kind


def has_same_digits(claimed: Quantity, stated: Quantity) -> bool:
    """Whether two quantities differ in nothing but scale or unit: 13.8 million, 13.8 billion."""
    ours, theirs = (re.search(r"\d[\d,.]*", quantity.text) for quantity in (claimed, stated))
    return bool(ours and theirs and ours[0] == theirs[0])


def counts_alike(claim: str, strip: str) -> bool:
    """Whether a strip may count what a claim does: not a part where the claim counts all.

    >>> counts_alike("It employs 90 people in all.", "It employs 60 people in Lund.")
    False
    """
    return not _TOTAL.search(claim) or bool(_TOTAL.search(strip))


def agree(claimed: Quantity, stated: Quantity) -> bool | None:
    """Whether a stated quantity bears out a claimed one; None where it leaves that open."""
    slack = max(_rounding(claimed, stated), _rounding(stated, claimed))
    if claimed.bound == stated.bound == "about":
        slack = max(0.0, _slack(stated) - _slack(claimed))
    if claimed.factor != stated.factor:
        slack = max(slack, _CONVERTED * abs(claimed.high))
    is_limit = stated.bound in ("over", "under")
    low, high = _range_of(claimed)
    least, most = _range_of(stated) if is_limit else (stated.low, stated.high)
    if least > high + slack or most < low - slack:
        return False
    if is_limit and claimed.bound == stated.bound and has_same_digits(claimed, stated):
        return abs(claimed.low - stated.low) <= slack
    is_same = claimed.bound == stated.bound and abs(claimed.low - stated.low) <= slack
    return True if is_same or not is_limit else None


def _range_of(claimed: Quantity) -> tuple[float, float]:
    """The values for which a claimed quantity holds."""
    off = _slack(claimed)
    return {
        "exact": (claimed.low, claimed.high),
        "about": (claimed.low - off, claimed.high + off),
        "nearly": (claimed.low - off, claimed.high),
        "over": (claimed.low, inf),
        "under": (-inf, claimed.high),
    }[claimed.bound]


def _rounding(rounded: Quantity, exact: Quantity) -> float:
    """How far off a quantity may be that is given in rounder numbers than another."""
    if rounded.bound in ("over", "under") or rounded.step <= exact.step:
        return _slack(rounded) if rounded.bound == "about" else 1e-9 * abs(rounded.high)
    return min(rounded.step / 2, _ROUNDED * abs(exact.high))


def _slack(hedged: Quantity) -> float:
    """How far off a hedged quantity may be: as its last given place, if it has one."""
    most, least = _NEAR * abs(hedged.high), _CLOSE * abs(hedged.high)
    return max(least, min(most, hedged.step)) if hedged.step else most
