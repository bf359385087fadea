"""Counts in words, as every message says them."""

from collections.abc import Sized

_PLURAL = {"is": "are", "was": "were", "has": "have"}


def count(things: Sized | int, noun: str, verb: str = "") -> str:
    """How many there are: `1 claim`, `2 claims`; with a verb: `1 claim was`, `2 replies were`.

    >>> count(["a"], "reply", "was"), count(2, "reply", "was")
    ('1 reply was', '2 replies were')
    """
    number = things if isinstance(things, int) else len(things)
    if number != 1:
        verb = _PLURAL.get(verb, verb)
        noun = f"{noun[:-1]}ies" if noun.endswith("ply") else f"{noun}s"
    return f"{number} {noun} {verb}".rstrip()
