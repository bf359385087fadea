"""Whether a block of HTML has a text between its tags."""

import re
from html.parser import HTMLParser

LONGEST = 20_000
"""Up to how many characters of a block are read: reading many tags that never end is quadratic."""
_UNREAD = frozenset(("script", "style", "pre", "code", "svg", "math", "textarea"))
"""Elements that hold no sentences."""
_WORD = re.compile(r"\w")


def has_text(source: str) -> bool:
    """Whether words stand between the tags; those of code, scripts and comments do not count.

    >>> has_text("<p>Ada <b>sang</b>.</p>"), has_text("<!-- Ada sang. --><hr>")
    (True, False)
    """
    if len(source) > LONGEST:
        return True
    reader = _Reader()
    try:
        reader.feed(source)
        reader.close()
    except AssertionError:
        # What is no HTML is refused so; it may be text.
        return True
    return reader.has_words


class _Reader(HTMLParser):
    """Notes whether a text has words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.has_words = False
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  the parser passes it
        """Note an element that holds no sentences."""
        self._unread += tag in _UNREAD

    def handle_endtag(self, tag: str) -> None:
        """Note that such an element ends."""
        self._unread -= tag in _UNREAD and self._unread > 0

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.has_words = self.has_words or (not self._unread and bool(_WORD.search(data)))
