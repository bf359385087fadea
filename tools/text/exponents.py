"""Raised numbers that are exponents, told from the marks of notes."""

import re

_MEASURED = re.compile(
    r"\d[\d.,]* ?(?:[a-z]+ )?(?:[a-z]*met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?"
    r"|[a-zµ]{1,2}|seconds?|light[- ]years?|parsecs?|units?)\Z"
)
"""What stands before the exponent of a unit."""
_SHORT = 4
"""The letters of a word that is no unit and no variable."""
_SPOKEN = re.compile(
    r"(?!(?:mi|ha|in)\Z)[^\W\d_][aeiouyAEIOUY]|[aeiouyAEIOUY][^\W\d_]|[A-Z]{3}|[^\W\d_a-zA-Z]"
)
"""In a short word: two letters that make a sound, or an abbreviation."""


def is_exponent(before: str, raised: str) -> bool:
    """Whether a raised number after some words is an exponent, as in "330 metres²" or "E = mc²"."""
    if "[" in raised:
        return False
    is_low = bool(re.search("[²³23]", raised))
    if is_low and _MEASURED.search(before):
        return True
    word = re.search(r"[^\W_]*\Z", before)
    if not word or not word[0]:
        return False
    if word[0].isdigit():
        return not re.fullmatch(r"(?:1\d|20)\d\d", word[0])
    if word[0].isupper() and len(word[0]) == _SHORT - 2:
        return is_low
    return len(word[0]) < _SHORT and not _SPOKEN.search(word[0])
