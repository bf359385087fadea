"""What a text denies, by which words; and sentences with a denial more or less."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from errata.tools.text.words import NEGATIONS, Word

SCOPE = 4
"""How many words after a denial belong to it."""
_DENIALS = (NEGATIONS | {"impossible", "unable"}) - {"without"}
_REFUSALS = frozenset("refused refuses refuse declined declines decline failed fails fail".split())
"""Words that deny what "to" leads in after them."""
_LIMITS = frozenset("more less fewer later earlier".split())
"""Words beside which a denial sets a limit: "no one may have more than six"."""
_IDIOMS = frozenset(
    ("not only", "not just", "not least", "not far", "not until", "no doubt", "not necessarily")
)
_DENIED = (
    (
        re.compile(
            r"\b(is|are|was|were|can|could|will|would|should|must|may|might|does|do|did|has|have|had)"
            r"(?: not|n['’]t)\b"
        ),
        r"\1",
    ),
    (re.compile(r"\bcan(?:not|['’]t)\b"), "can"),
    (re.compile(r"\bnever "), ""),
)
"""Denials beside verbs, and what is left without them."""
_CLAUSE = re.compile(
    r"[;:—]|, (?:and|which|who)\b|\b(?:but|although|though|whereas|while|unlike)\b"
)


def split_clauses(
    text: str, words: Sequence[Word], border: re.Pattern[str] = _CLAUSE
) -> Iterator[list[Word]]:
    """The words of each clause of a text."""
    first = 0
    for end in [*(match.start() for match in border.finditer(text)), len(text)]:
        last = bisect_left(words, end, lo=first, key=lambda word: word.start)
        yield list(words[first:last])
        first = last


def is_denial(words: Sequence[Word], known: frozenset[str]) -> bool:
    """Whether words deny something of what is known by its stems: an odd number of denials does.

    A denial is of one of the next words. Those in names ("No Country for Old Men"), in idioms and
    in limits do not count.
    """
    texts = [word.text.lower() for word in words]
    places = [
        place
        for place, text in enumerate(texts)
        if is_denying_word(text) or (text in _REFUSALS and texts[place + 1 : place + 2] == ["to"])
    ]
    if not (places and _LIMITS.isdisjoint(texts)):
        return False
    count = sum(f"{a} {b}" in _IDIOMS for a, b in pairwise(texts))
    for place in places:
        after = words[place + 1 : place + 1 + SCOPE]
        is_next_name = bool(after) and not after[0].text[0].islower()
        in_name = (place > 0 or is_next_name) and not words[place].text[0].islower()
        count += not in_name and any(other.is_content and other.stem in known for other in after)
    return count % 2 == 1


def deny_alike(ours: Sequence[Word], theirs: Sequence[Word], known: frozenset[str]) -> bool:
    """Whether both of two texts deny something of what is known, or neither does."""
    return is_denial(ours, known) == is_denial(theirs, known)


def is_denying_word(word: str) -> bool:
    """Whether a word in lower case denies.

    >>> [is_denying_word(word) for word in ("never", "isn't", "knot")]
    [True, True, False]
    """
    return word in _DENIALS or word.endswith(("n't", "n’t"))


def without_denial(text: str) -> Iterator[str]:
    """A sentence without a "not" or "never" beside its verb; empty where it has none.

    >>> list(without_denial("It wasn't sold."))
    ['It was sold.']
    """
    for pattern, new in _DENIED:
        if pattern.search(text):
            yield pattern.sub(new, text, count=1)
