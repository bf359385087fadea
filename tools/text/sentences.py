"""Sentences with their places in the text."""

import re
from itertools import pairwise

from sentencex import get_sentence_boundaries

# A quotation or citation mark right after a full stop hides the boundary from the splitter.
HIDDEN_END = re.compile(
    r"(?<=[a-z\d)][.!?][\"”’])\s+(?=[A-Z])|(?<=[.!?]\])\s+(?=[A-Z])"
    r"|(?<=[A-Z][.!?][\"”’])\s+(?=(?:He|She|It|They|In|On|The|His|Her|After)\b)"
)


def split_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Give the start and end of every sentence, in characters, without outer white space."""
    return [
        span
        for line in re.finditer(r"[^\n]+", text)
        for span in _in_line(text, line.start(), line.end(), language)
    ]


def _in_line(text: str, start: int, end: int, language: str) -> list[tuple[int, int]]:
    cuts = {start, end}
    for boundary in get_sentence_boundaries(language, text[start:end]):
        cuts.add(start + boundary["start_index"])
    cuts.update(match.end() for match in HIDDEN_END.finditer(text, start, end))
    spans = (_trimmed(text, a, b) for a, b in pairwise(sorted(cuts)))
    return [(a, b) for a, b in spans if a < b]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
