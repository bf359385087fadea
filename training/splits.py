"""Which side of a split a group of examples is on, the same in every run."""

import hashlib

RESERVED = 10
"""One in so many articles or sections is reserved for fitting the evaluator."""


def draw_number(group: str) -> int:
    """A pseudo-random number that depends on the group alone."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16)


def fold_of(group: str) -> int:
    """The half of the groups that a group is in: 0 or 1."""
    return draw_number(f"judge|{group}") % 2


def is_reserved(group: str) -> bool:
    """Whether the cross-encoder leaves a group out, so that the evaluator can be fitted on it."""
    return draw_number(group) % RESERVED == 0
