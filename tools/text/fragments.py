"""Links to the very words of a page: text fragments, as the WICG's specification has them."""

from collections.abc import Iterable
from urllib.parse import quote

WHOLE = 12
"""How many words a quote may have to stand whole in a link; of a longer one the ends do."""
ENDS = 4
"""How many words an end has at most."""


def link_to(url: str, text: str, start: int, end: int) -> str:
    """The address with a directive to the words `text[start:end]` of its page.

    A browser goes to the first place that fits.

    >>> link_to("https://a.b/c#top", "It is 5-fold. It rose, too.", 14, 27)
    'https://a.b/c#top:~:text=It%20rose%2C%20too.'
    """
    lines = [line.split() for line in text[start:end].splitlines() if line.strip()]
    if not lines:
        return url
    parts = [lines[0]]
    if len(lines) > 1 or len(lines[0]) > WHOLE:
        parts = [lines[0][:ENDS], lines[-1][-ENDS:]]
    address, _, anchor = url.partition("#")
    return f"{address}#{anchor.partition(':~:')[0]}:~:text={','.join(map(_encoded, parts))}"


def _encoded(words: Iterable[str]) -> str:
    """Words for a directive, in which a hyphen, a comma and an ampersand have a meaning."""
    return quote(" ".join(words), safe="").replace("-", "%2D")
