"""Titles of works that are written without quotation marks."""

import re

_QUOTES = re.compile(r"[\"“”]")
_AND_THE = re.compile(r"^(?!the )[^,]*? and the ")
_WORK = re.compile(
    r"\b(?:films?|movies?|series|sitcom|novels?|books?|plays?|musicals?|shows?|albums?|songs?"
    r"|roles? (?:in|on)|starred in|appeared in|titled|called|named|wrote|author of) $"
)


def is_title(predicate: str, names: str) -> bool:
    """Whether "and" may stand inside a title among the names of a predicate.

    >>> is_title("played in Sex and the City", "Sex and the City")
    True
    >>> is_title("lived in France and Spain", "France and Spain")
    False
    """
    if "," in names or _QUOTES.search(names):
        return False
    return bool(_AND_THE.search(names) or _WORK.search(predicate[: predicate.find(names)]))
