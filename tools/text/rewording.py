"""Words put in place of others in a text."""

import re


def replace_span(text: str, start: int, end: int, new: str) -> str:
    """A text with a stretch replaced; it opens with a capital if the text does."""
    if start == 0 and not text[:1].islower():
        new = new[:1].upper() + new[1:]
    return text[:start] + new + text[end:]


def fix_article(text: str, place: int) -> str:
    """A text whose article before a place fits the word there.

    >>> fix_article("She was a actress.", 10)
    'She was an actress.'
    """
    after = text[place:]
    ending = "n " if after[:1].lower() in "aeio" else " "
    return re.sub(r"\b([Aa])n? $", rf"\1{ending}", text[:place]) + after
