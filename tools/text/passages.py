"""Passages: stretches of whole sentences, about 100 words long."""

from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import WORD

MAX_WORDS = 100
"""Words of a passage: the papers' passages of Wikipedia have 100 words."""


def passage_spans(text: str) -> list[tuple[int, int]]:
    """The start and end of passages: whole sentences, at most 100 words unless it is only one."""
    spans: list[tuple[int, int]] = []
    length = 0
    for start, end in split_sentences(text):
        count = len(WORD.findall(text, start, end))
        if spans and length + count <= MAX_WORDS:
            spans[-1] = (spans[-1][0], end)
            length += count
        else:
            spans.append((start, end))
            length = count
    return spans
