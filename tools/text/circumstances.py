"""The place or time that a clause with where or when tells of."""

import re

from errata.tools.text.entities import NAME

_PLACE = re.compile(
    rf"\b(?P<word>in|to|at|from|near) (?P<name>{NAME.pattern}(?:, {NAME.pattern})*)"
    r"(?:,? in \d{4})?$"
)
_TIME = re.compile(
    r"\b(?:in|until|since|by|on|before|after) (?P<time>(?:[A-Z]\w+ )?(?:\d{1,2}, )?\d{4})$"
)


def find_circumstance(before: str, adverb: str) -> str:
    """The place or the time that ends the words before where or when; empty where unclear.

    >>> find_circumstance("moved to Paris", "where")
    'In Paris, '
    """
    if adverb == "when":
        time = _TIME.search(before)
        return f"In {time['time']}, " if time else ""
    place = _PLACE.search(before)
    preposition = "At" if place and place["word"] in ("at", "near") else "In"
    return f"{preposition} {place['name']}, " if place else ""
