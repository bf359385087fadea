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
    before, after = text[:place], text[place:]
    if re.search(r"\b[Aa]n? $", before):
        stem = before.rstrip()[:-2] if before.rstrip().endswith("n") else before.rstrip()[:-1]
        letter = before.rstrip()[len(stem)]
        before = f"{stem}{letter}{'n' if after[:1].lower() in 'aeio' else ''} "
    return before + after
