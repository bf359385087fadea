"""Sentence boundaries, and passages of whole sentences."""

import re
from collections.abc import Iterator
from itertools import pairwise

from sentencex import get_sentence_boundaries

from errata.core.limits import check_time, current_bounds, note_undone
from errata.tools.text.words import WORD

MAX_WORDS = 100
"""Words of a passage: the papers' passages of Wikipedia have 100 words."""
# The splitter misses a boundary after a closing quotation mark or citation ("It ended.[1] He") or
# a unit ("at 45 km/h. It").
MISSED_BOUNDARY = re.compile(
    r"(?<=[a-z\d)][.!?][\"”’])\s+(?=[A-Z])|(?<=[.!?]\])\s+(?=[A-Z])"
    r"|(?<=/[a-z][.!?])\s+(?=[A-Z])"
    r"|(?<=[A-Z][.!?][\"”’])\s+(?=(?:He|She|It|They|In|On|The|His|Her|After)\b)"
)
_QUOTES = str.maketrans(dict.fromkeys("“‘«»„‹'`", '"'))
_MARK = re.compile(r"[\"“”„«»]")
MOST_QUOTES = 1000
"""The most quotation marks of a line that the splitter pairs: it looks for the other one of each
to the end, but not of a straight double one."""


def split_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """The start and end of every sentence, in characters, without surrounding whitespace.

    A sentence that is longer than the open bounds allow counts as several. Raises OutOfTimeError
    when the run's time is over.

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
    check_time()
    cuts, line = {start, end}, text[start:end]
    plain = line.translate(_QUOTES)
    line = plain if plain.count('"') > MOST_QUOTES else line
    for boundary in get_sentence_boundaries(language, line):
        cuts.add(start + boundary["start_index"])
    cuts.update(match.end() for match in MISSED_BOUNDARY.finditer(text, start, end))
    places = (_trim(text, a, b) for a, b in pairwise(sorted(cuts)))
    return [piece for a, b in places if a < b for piece in _pieces(text, a, b)]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentence, or the parts of one that is too long, as a rule cut between two words."""
    longest = current_bounds().max_sentence
    if end - start > longest:
        note_undone(f"sentences over max_sentence={longest} characters were cut into several")
    while end - start > longest:
        limit = start + longest
        cut = text.rfind(" ", start + longest // 2, limit)
        cut = limit if cut < 0 else cut
        yield _trim(text, start, cut)
        start, end = _trim(text, cut, end)
    yield start, end


def inside_quotes(text: str, marks: str = '"“”„«»') -> str:
    """The words between the quotation marks around a text; empty unless it is one quotation.

    >>> inside_quotes('"They sang "Ode to Joy"."'), inside_quotes('"A." "B."')
    ('They sang "Ode to Joy".', '')
    """
    inner = text[1:-1]
    first = _MARK.search(inner)
    if {text[:1], text[-1:]} - set(marks) or (first and first[0] in "”»"):
        return ""
    opens = not first or first.start() == 0 or inner[first.start() - 1] in " \n([—–-"
    return inner if opens else ""


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


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
