"""Values and names of a claim that stand in no document: an exact check, which refutes nothing."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from errata.core.limits import cache_in_bounds
from errata.core.records import Document
from errata.core.words import fold
from errata.tools.judges.evidence import Reading
from errata.tools.judges.pairs import has_like
from errata.tools.judges.values import find_values, is_stated
from errata.tools.text.entities import Entity
from errata.tools.text.words import split_stems, split_words

BEGINS = re.compile(r"(?:^|[.?!:;]\s+|[“\"‘(])$")
"""What stands before the first word of a sentence, which may be capitalized for that alone."""
MOST = 20
"""How many values of a claim are looked for: each in every document."""
_NUMBER = re.compile(r"\d[\d.,]*(?<=\d)")
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")
_TITLES = frozenset("mr mrs ms miss dr sir dame lord lady prof st".split())


def find_unfounded(claim: Reading, documents: Sequence[Document]) -> tuple[str, ...]:
    """The numbers in digits, dates and names of a claim that stand nowhere in the documents.

    A name is given by its words that do; abbreviations, titles and words that may be capitalized
    for beginning a sentence are not looked for. Numbers in words are often counted, not quoted.
    """
    texts, bag, spans = _read(tuple(documents))
    return *_find_values(claim, texts, spans), *_find_names(claim, bag | claim.topic)


# All claims, and each new sentence of a correction, are judged by the same documents.
@cache_in_bounds(4)
def _read(documents: tuple[Document, ...]) -> tuple[list[str], frozenset[str], frozenset[str]]:
    """The texts of documents, their stems, and the years between the years that they name."""
    texts = [fold(f"{document.title}\n{document.text}") for document in documents]
    years = {int(year) for text in texts for year in _YEAR.findall(text)}
    spans = frozenset(str(abs(one - other)) for one, other in combinations(years, 2))
    return texts, frozenset(stem for text in texts for stem in split_stems(text)), spans


def stand_nowhere(words: Sequence[str]) -> str:
    """What is unfounded, in words.

    >>> stand_nowhere(["1899", "London"])
    '1899 and London stand nowhere in the documents'
    """
    *others, last = words
    stand = f"{', '.join(others)} and {last} stand" if others else f"{last} stands"
    return f"{stand} nowhere in the documents"


def _find_values(claim: Reading, texts: Sequence[str], spans: Set[str]) -> Iterator[str]:
    for value in find_values(claim.text)[:MOST]:
        numbers = set(_NUMBER.findall(value.text))
        if numbers - spans and not any(is_stated(value, text) for text in texts):
            yield value.text


def _find_names(claim: Reading, bag: frozenset[str]) -> Iterator[str]:
    names = (name for name in claim.all_entities if name.kind == "name")
    return filter(None, (" ".join(_unknown_words(claim, name, bag)) for name in names))


def _unknown_words(claim: Reading, name: Entity, bag: frozenset[str]) -> Iterator[str]:
    """The words that make a name one and are not in a bag."""
    for word in split_words(name.text):
        is_first = BEGINS.search(claim.text[: name.start + word.start])
        is_title = word.text.lower() in _TITLES or word.text.isupper()
        is_name = word.text[:1].isupper() and not (is_first or is_title)
        if is_name and not has_like(word.stem, bag):
            yield word.text
