"""English words as the local judges see them: tokens with offsets, stems, stopwords."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

from snowballstemmer import stemmer

from errata.core.words import MARKS, fold

T = TypeVar("T")
CHARACTERS_PER_TOKEN = 4
LONGEST = 500  # characters of a text whose findings are remembered, for the memory they take
PREFIX = 5  # letters of a stem prefix
# A capital after a lower-case letter starts a new word: pages often glue table cells together
# ("OccupationActor"), and names such as McDonald split the same way in claim and evidence.
LETTERS = rf"(?:[^\W\d_][{MARKS}]*)"
WORD = re.compile(
    rf"\d+(?:[.,]\d+)*|{LETTERS}(?:(?!(?<=[a-zà-ÿ])[A-Z]){LETTERS})*"
    rf"(?:['’.&](?!(?<=[a-z]['’.&])[A-Z][a-z]){LETTERS}+)*"
)

STOPWORDS = frozenset(
    """a about after against all also although am among an and any are as at be became because
    become been before being between both but by can could did do does doing done during each
    either for from further had has have having he her here hers him himself his how i if in into
    is it its itself may me might more most much must my no nor not of off on once one only onto or
    other our out over own per she should since so some such than that the their theirs them then
    there these they this those through throughout to too under until up upon us very was we
    were what when where which while who whom whose why will with within without would you
    your""".split()
)
PREPOSITIONS = (
    "about|after|against|around|as|at|before|between|by|despite|during|for|from|in|into|near|of|on"
    "|over|since|through|to|under|until|with|within|without"
)  # as a pattern
NEGATIONS = frozenset("not no never neither nor none without nobody cannot n't".split())


def remember_short(find: Callable[[str], list[T]]) -> Callable[[str], list[T]]:
    """Remember what a function finds in the last thousand short texts."""
    remembered = lru_cache(maxsize=1024)(find)

    @wraps(find)
    def call(text: str) -> list[T]:
        return list(remembered(text)) if len(text) <= LONGEST else find(text)

    return call


@dataclass(frozen=True, slots=True)
class Word:
    """A token: its text, its stem, and its offsets in characters."""

    text: str
    stem: str
    start: int
    end: int

    @property
    def is_content(self) -> bool:
        """Whether it is not a stopword."""
        return self.text.lower() not in STOPWORDS


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """The lower-case stem of a word, without a possessive ending; numbers lose their commas."""
    word = fold(word)
    if word[0].isdigit():
        return word.replace(",", "")
    plain = word.lower().replace("’", "'").removesuffix("'s")
    # A stemmer keeps its word in itself: no two threads may share one.
    return str(stemmer("english").stemWord(plain))


@remember_short
def split_words(text: str) -> list[Word]:
    """Split text into words; apostrophes, full stops and ampersands inside a word stay."""
    return [
        Word(match.group(), stem(match.group()), match.start(), match.end())
        for match in WORD.finditer(text)
    ]


def split_stems(text: str) -> list[str]:
    """The stems of all words, in order."""
    return [stem(match.group()) for match in WORD.finditer(text)]


def content_words(text: str) -> list[str]:
    """The stems of all words that are no stopwords, in order."""
    return [word.stem for word in split_words(text) if word.is_content]


def content_stems(text: str) -> frozenset[str]:
    """The stems of all words that are no stopwords."""
    return frozenset(content_words(text))


def count_tokens(text: str) -> int:
    """An estimate of a model's token count, at four characters per token, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def stem_prefixes(stems: Iterable[str]) -> frozenset[str]:
    """The first five letters of stems with at least four, so that "actor" matches "acting"."""
    return frozenset(stem[:PREFIX] for stem in stems if len(stem) >= PREFIX - 1)


def replace_span(text: str, start: int, end: int, new: str) -> str:
    """A text with a stretch replaced; it opens with a capital if the text does."""
    if start == 0 and not text[:1].islower():
        new = new[:1].upper() + new[1:]
    return text[:start] + new + text[end:]


def fix_article(text: str, place: int) -> str:
    """A text whose article before a place fits the word there."""
    after = text[place:]
    ending = "n " if after[:1].lower() in "aeio" else " "
    return re.sub(r"\b([Aa])n? $", rf"\1{ending}", text[:place]) + after
