"""Values and names of a claim that stand in no document: an exact check, which refutes nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations

from errata.core.limits import cache_in_bounds
from errata.core.records import Document
from errata.core.words import fold
from errata.tools.judges.evidence import Reading
from errata.tools.judges.pairs import is_like
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


def find_unfounded(
    claims: Sequence[Reading], documents: Sequence[Document]
) -> list[tuple[str, ...]]:
    """For each claim its numbers in digits, dates and names that stand nowhere in the documents.

    A name is given by its words that do; abbreviations, titles and words that may be capitalized
    for beginning a sentence are not looked for. Numbers in words are often counted, not quoted.
    """
    texts, bag, spans = _read(tuple(documents))
    return [
        (*_find_values(claim, texts, spans), *_find_names(claim, bag | claim.topic))
        for claim in claims
    ]


# A correction judges each new sentence by the same documents.
@cache_in_bounds(4)
def _read(documents: tuple[Document, ...]) -> tuple[list[str], frozenset[str], frozenset[str]]:
    """The texts of documents, their stems, and the years between the years that they name."""
    texts = [fold(f"{document.title}\n{document.text}") for document in documents]
    return texts, frozenset(stem for text in texts for stem in split_stems(text)), _spans_of(texts)


def stand_nowhere(words: Sequence[str]) -> str:
    """What is unfounded, in words.

    >>> stand_nowhere(["1899", "London"])
    '1899 and London stand nowhere in the documents'
    """
    *others, last = words
    if not others:
        return f"{last} stands nowhere in the documents"
    return f"{', '.join(others)} and {last} stand nowhere in the documents"


def _find_values(claim: Reading, texts: Sequence[str], spans: Set[str]) -> Iterator[str]:
    for value in find_values(claim.text)[:MOST]:
        numbers = set(_NUMBER.findall(value.text))
        if numbers - spans and not any(is_stated(value, text) for text in texts):
            yield value.text


def _spans_of(texts: Iterable[str]) -> frozenset[str]:
    """How many years lie between any two that texts name."""
    years = {int(year) for text in texts for year in _YEAR.findall(text)}
    return frozenset(str(abs(one - other)) for one, other in combinations(years, 2))


def _find_names(claim: Reading, bag: frozenset[str]) -> Iterator[str]:
    for name in claim.all_entities:
        if name.kind == "name":
            unknown = [word for word, stem in _words_of(claim, name) if not _is_in(stem, bag)]
            yield from [" ".join(unknown)] if unknown else ()


def _words_of(claim: Reading, name: Entity) -> Iterator[tuple[str, str]]:
    """The words of a name that make it one, with their stems."""
    for word in split_words(name.text):
        is_first = BEGINS.search(claim.text[: name.start + word.start])
        is_title = word.text.lower() in _TITLES or word.text.isupper()
        if word.text[:1].isupper() and not (is_first or is_title):
            yield word.text, word.stem


def _is_in(stem: str, bag: frozenset[str]) -> bool:
    return stem in bag or is_like(stem, bag)
