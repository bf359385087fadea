"""Links to the very words of a page: text fragments, as the WICG's specification has them."""

from urllib.parse import quote

WHOLE = 12
"""How many words a quote may have to stand whole in a link; of a longer one the ends do."""
ENDS = 4
"""How many words an end has."""


def link_to(url: str, words: str) -> str:
    """The address with a directive to a quote of its page.

    >>> link_to("https://a.b/c#top", "It rose, too.")
    'https://a.b/c#top:~:text=It%20rose%2C%20too.'
    """
    lines = [line.split() for line in words.splitlines() if line.strip()]
    if not lines:
        return url
    is_whole = len(lines) == 1 and len(lines[0]) <= WHOLE
    parts = lines if is_whole else [lines[0][:ENDS], lines[-1][-ENDS:]]
    address, _, anchor = url.partition("#")
    text = ",".join(quote(" ".join(part), safe="").replace("-", "%2D") for part in parts)
    return f"{address}#{anchor.partition(':~:')[0]}:~:text={text}"
