"""The words of a text, with their numbers and signs, and where they begin and end."""

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from unicodedata import category, normalize


def _signs(kind: str) -> str:
    """The characters of Unicode's basic plane whose category begins with `kind`."""
    return "".join(sign for sign in map(chr, range(0x10000)) if category(sign).startswith(kind))


# Python's \w lacks combining marks, with which many scripts write vowels.
_MARKS = _signs("M")
_CURRENCY = _signs("Sc")
_JOINERS = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
MARKS = _MARKS + _JOINERS
"""What may stand in a word after a letter, and is no letter."""
_WIDE = range(0xFF01, 0xFF5F)
_FOLDED = str.maketrans(
    dict.fromkeys(_JOINERS, "")
    | dict.fromkeys(_signs("Zs"), " ")
    | dict.fromkeys("‐‑", "-")
    | {chr(sign): chr(sign - 0xFEE0) for sign in _WIDE}
    | {sign: normalize("NFKC", sign) for sign in "ﬀﬁﬂﬃﬄﬅﬆ"}
)
_ALIKE = ("'’‘ʼ", '"“”„«»', "-‐‑–—")
"""Signs that are written for one another."""
_LETTER = rf"[\w{_MARKS}{_JOINERS}]"
_JOINT = (
    r"(?:['’&·‐‑-]"  # O'Brien's, R&B, well-known, 1914-1918
    r"|(?<=\d)[.,:/](?=\d)"  # 16.8, 1,000, 10:30, 3/4
    r"|(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))"  # 1 000
    r"|\.(?=[a-z\d])|(?<=\b[A-Z])\.(?=[A-Z]\b)"  # e.g., example.com, U.S.
    rf"|[{_CURRENCY}](?=\d))"  # US$5
)
_SIGN = rf"(?:(?:(?<![\w)\]])[-−+±])?[{_CURRENCY}]?(?=\d))?"
_UNIT = rf"(?:(?<=\d)[%‰°′″{_CURRENCY}]+{_LETTER}*)?"
WORD = rf"{_SIGN}{_LETTER}+(?:{_JOINT}{_LETTER}+)*{_UNIT}"
"""A word or a number as a pattern, with its hyphens, decimals, sign, currency and percent sign."""
_WORDS = re.compile(WORD)
_GLUED = re.compile(_LETTER)


def fold(text: str) -> str:
    """A text in the one form in which texts are compared: composed letters, plain spaces.

    Superscripts stay: 10⁶ is not 106.

    >>> fold("Rene\u0301 won \uff14 m\u00b2\u00a0of co\u00adrn")
    'René won 4 m² of corn'
    """
    return text if text.isascii() else normalize("NFC", text.translate(_FOLDED))


def loosely(words: str) -> str:
    """A pattern for words in whatever form their letters, signs and spaces are written."""
    between = rf"[{_JOINERS}]*\s[{_JOINERS}\s]*"
    return between.join(_loosely_word(word) for word in words.split() if fold(word))


def _loosely_word(word: str) -> str:
    """A word as it stands, or in any form of its folded signs."""
    loose = f"[{_JOINERS}]*".join(map(_forms, fold(word)))
    return loose if word.isascii() else f"(?:{re.escape(word)}|{loose})"


@lru_cache(maxsize=4096)
def _forms(sign: str) -> str:
    """A pattern for the ways to write a sign."""
    alike = next((signs for signs in _ALIKE if sign in signs), "")
    if alike:
        return f"[{re.escape(alike)}]"
    wide = chr(ord(sign) + 0xFEE0)
    forms = {sign, normalize("NFD", sign)} | ({wide} if ord(wide) in _WIDE else set())
    return f"(?:{'|'.join(map(re.escape, sorted(forms)))})" if len(forms) > 1 else re.escape(sign)


class Borders:
    """The borders of a text's words."""

    def __init__(self, text: str) -> None:
        """Find the words, in one pass."""
        spans = [match.span() for match in _WORDS.finditer(text)]
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def are_at(self, start: int, end: int) -> bool:
        """Whether a stretch neither begins nor ends inside a word."""
        return self.before(start) == start and self.after(end) == end

    def before(self, place: int, *, glued: bool = False) -> int:
        """The start of the word that a place is in, or if `glued` at the end of; else the place.

        >>> Borders("about 16.8 km").before(9)
        6
        """
        number = bisect_left(self._starts, place) - 1
        if number < 0 or self._ends[number] < place + (not glued):
            return place
        return self._starts[number]

    def after(self, place: int, *, glued: bool = False) -> int:
        """The end of the word that a place is in, or if `glued` at the start of; else the place.

        >>> Borders("about 16.8 km").after(9)
        10
        """
        number = bisect_right(self._ends, place)
        if number == len(self._ends) or self._starts[number] > place - (not glued):
            return place
        return self._ends[number]


def places_of(words: str, text: str) -> list[int]:
    """Where some words begin in a text, as whole words, not as parts of longer ones.

    >>> places_of("8", "16.8 km on day 8")
    [15]
    """
    borders = Borders(text)
    places = (match.start() for match in re.finditer(re.escape(words), text))
    return [place for place in places if borders.are_at(place, place + len(words))]


def are_glued(before: str, after: str) -> bool:
    """Whether the last word of one text and the first of another would become one if joined."""
    return bool(_GLUED.fullmatch(before[-1:]) and _GLUED.fullmatch(after[:1]))
