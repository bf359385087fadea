"""Quotations in a text, and whether another text has their words."""

import re
from functools import lru_cache
from itertools import pairwise

from errata.core.edits import Span
from errata.tools.text.words import NEGATIONS, split_words

FEWEST = 4  # words of a quotation; fewer are a term or a title
SHARED = 1 / 3
"""The share of its words that the quotation which a wrong one stands for has at least."""
_QUOTATION = re.compile(
    r"“(?P<curly>[^“”\n]{8,600})”|\"(?P<straight>[^\"\n<>=]{8,600})\"|«(?P<angle>[^«»\n]{8,600})»"
)
_ENDING = re.compile(r"[\s,.;:!?]*\Z")


def find_quotations(text: str, fewest: int = FEWEST) -> list[Span]:
    """Where the words of quotations stand, without their marks."""
    spans = (match.span(match.lastgroup or 0) for match in _QUOTATION.finditer(text))
    return [span for span in spans if len(text[slice(*span)].split()) >= fewest]


def is_quoted_from(quotation: str, text: str) -> bool:
    """Whether a text has a quotation, word for word but for stopwords and forms of words.

    What stands in square brackets, and what is left out at an ellipsis, is not compared.

    >>> is_quoted_from("I have [never] seen … it work", "“I've never seen that machine at work.”")
    True
    """
    words, place = _told(text), 0
    for part in map(_told, re.split(r"\[[^\]\n]{0,80}\]|\.{3,}|…", quotation)):
        last = len(words) - len(part) + 1
        found = next((n for n in range(place, last) if words[n : n + len(part)] == part), None)
        if found is None:
            return False
        place = found + len(part)
    return True


def find_meant(quotation: str, text: str) -> str:
    """The text's own words for which a wrong quotation stands; empty if none or several may be.

    They begin and end as the quotation does, where that is in them.

    >>> find_meant("safer with a lock and a cat.", "“We'd be safer with a box and a cat,” he said.")
    'safer with a box and a cat.'
    """
    said = {*_told(quotation)}
    spans = (text[start:end] for start, end in find_quotations(text, 2))
    best = sorted(((len(said & {*_told(own)}), own) for own in spans), reverse=True)[:2]
    is_one = best and all(shared < best[0][0] for shared, _ in best[1:])
    if not is_one or best[0][0] < SHARED * len(said):
        return ""
    ours, theirs, own = split_words(quotation), split_words(best[0][1]), best[0][1]
    pairs = [(a.stem, b.stem) for a, b in pairwise(theirs)]
    first, last = ((a.stem, b.stem) for a, b in (ours[:2], ours[-2:]))
    end = theirs[len(pairs) - pairs[::-1].index(last)].end if last in pairs else len(own)
    start = theirs[pairs.index(first)].start if first in pairs else 0
    return _ENDING.sub("", own[start:end]) + quotation[len(_ENDING.sub("", quotation)) :]


@lru_cache(maxsize=256)
def _told(text: str) -> list[str]:
    """The stems of a text's words, without stopwords that deny nothing."""
    return [w.stem for w in split_words(text) if w.is_content or w.text.lower() in NEGATIONS]
