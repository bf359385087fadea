"""Links to the very words of a page: text fragments, as the WICG's specification has them."""

from collections.abc import Sequence
from urllib.parse import quote

from errata.core.words import places_of

WHOLE = 12
"""How many words a quote may have to stand whole in a link; of a longer one the ends do."""
ENDS = 4
"""How many words an end has at least."""
BEFORE = (0, 1, 2, 4, 8, 16, 32)
"""How many words before a quote may tell it from the same words further up."""


def link_to(url: str, text: str, start: int, end: int) -> str:
    """The address with a directive to the words `text[start:end]` of its page.

    A browser goes to the first place that fits; it is that of the words.

    >>> link_to("https://a.b/c#top", "It is 5-fold. It rose, too.", 14, 27)
    'https://a.b/c#top:~:text=It%20rose%2C%20too.'
    """
    before, lines = text[:start].split(), [line.split() for line in text[start:end].splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        return url
    words = [word for line in lines for word in line]
    first, last = words, list[str]()
    if len(words) > WHOLE or len(lines) > 1:
        first, last = lines[0][:ENDS], lines[-1][-ENDS:]
        while len(last) < len(lines[-1]) and not _ends_at(words, first, last):
            last = lines[-1][-len(last) - 1 :]
    whole = " ".join(text.split()).casefold()
    prefixes = [before[len(before) - n :] for n in BEFORE if n <= len(before)]
    prefix = next((p for p in prefixes if _leads_to(whole, before, p, first)), prefixes[-1])
    parts = [_encoded(prefix) + "-"] if prefix else []
    parts += [_encoded(each) for each in (first, last) if each]
    address, _, anchor = url.partition("#")
    return f"{address}#{anchor.partition(':~:')[0]}:~:text={','.join(parts)}"


def _leads_to(
    whole: str, before: Sequence[str], prefix: Sequence[str], first: Sequence[str]
) -> bool:
    """Whether the first place with these words is the one after `before`."""
    place = len(" ".join(before[: len(before) - len(prefix)]).casefold())
    words = " ".join([*prefix, *first]).casefold()
    return places_of(words, whole)[:1] == [place + bool(place)]


def _ends_at(words: Sequence[str], first: Sequence[str], last: Sequence[str]) -> bool:
    """Whether the last words of a quote stand nowhere else in it after the first ones."""
    rest = " ".join(words[len(first) :]).casefold()
    return len(places_of(" ".join(last).casefold(), rest)) == 1


def _encoded(words: Sequence[str]) -> str:
    """Words for a directive, in which a hyphen, a comma and an ampersand have a meaning."""
    return quote(" ".join(words), safe="").replace("-", "%2D")
