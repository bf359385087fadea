"""Sentence boundaries."""

import re
from itertools import pairwise

from sentencex import get_sentence_boundaries

# The splitter misses a boundary after a closing quotation mark or citation ("It ended.[1] He").
MISSED_BOUNDARY = re.compile(
    r"(?<=[a-z\d)][.!?][\"”’])\s+(?=[A-Z])|(?<=[.!?]\])\s+(?=[A-Z])"
    r"|(?<=[A-Z][.!?][\"”’])\s+(?=(?:He|She|It|They|In|On|The|His|Her|After)\b)"
)


def split_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """The start and end of every sentence, in characters, without surrounding whitespace.

    >>> text = "Dr. Smith won. He left."
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Dr. Smith won.', 'He left.']
    """
    return [
        place
        for line in re.finditer(r"[^\n]+", text)
        for place in _split_line(text, line.start(), line.end(), language)
    ]


def _split_line(text: str, start: int, end: int, language: str) -> list[tuple[int, int]]:
    cuts = {start, end}
    for boundary in get_sentence_boundaries(language, text[start:end]):
        cuts.add(start + boundary["start_index"])
    cuts.update(match.end() for match in MISSED_BOUNDARY.finditer(text, start, end))
    places = (_trim(text, a, b) for a, b in pairwise(sorted(cuts)))
    return [(a, b) for a, b in places if a < b]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
