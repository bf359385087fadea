"""English words as the local judges see them: tokens with offsets, stems, stopwords."""

import re
import threading
from dataclasses import dataclass
from functools import lru_cache

from snowballstemmer import stemmer

CHARACTERS_PER_TOKEN = 4
# A capital after a lower-case letter starts a new word: pages often glue table cells together
# ("OccupationActor"), and names such as McDonald fall apart alike on both sides.
LETTERS = r"[^\W\d_]"
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
NEGATIONS = frozenset("not no never neither nor none without nobody cannot n't".split())


class _Stemmer(threading.local):
    """Hold a stemmer a thread: it keeps the word it works on in itself."""

    def __init__(self) -> None:
        self.stem = stemmer("english").stemWord


_STEMMER = _Stemmer()


@dataclass(frozen=True, slots=True)
class Word:
    """Hold a token: its text, its stem, and where it stands."""

    text: str
    stem: str
    start: int
    end: int

    @property
    def content(self) -> bool:
        """Tell whether it carries meaning of its own."""
        return self.text.lower() not in STOPWORDS


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Reduce a word to its lower-case stem, without a possessive ending."""
    if word[0].isdigit():
        return word.replace(",", "")
    result: str = _STEMMER.stem(word.lower().replace("’", "'").removesuffix("'s"))
    return result


def split_words(text: str) -> list[Word]:
    """Split text into words; hyphens and apostrophes inside a word stay."""
    return [
        Word(match.group(), stem(match.group()), match.start(), match.end())
        for match in WORD.finditer(text)
    ]


def content_stems(text: str) -> frozenset[str]:
    """Give the stems of the words that carry meaning."""
    return frozenset(word.stem for word in split_words(text) if word.content)


def count_tokens(text: str) -> int:
    """Estimate how many tokens a model sees, at four characters each."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
