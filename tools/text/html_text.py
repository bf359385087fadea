"""The texts between the tags of a block of HTML."""

from collections.abc import Iterator
from html.parser import HTMLParser

from errata.tools.text.markdown import LONGEST_READ, Block

_UNREAD = frozenset(("script", "style", "pre", "code", "svg", "math", "textarea"))
"""Elements that hold no sentences."""


def html_texts(text: str, block: Block) -> Iterator[Block]:
    """Each text between two tags of a block of HTML; not those of code, scripts and comments."""
    source = text[block.start : block.end]
    # Reading many tags that never end is quadratic.
    texts = _Reader(source).texts if len(source) <= LONGEST_READ else [(0, len(source))]
    for start, end in texts:
        first, last = block.start + start, block.start + end
        places = tuple(range(first, last))
        yield Block("html_text", block.start, block.end, (), text[first:last], places)


class _Reader(HTMLParser):
    """Notes where texts stand."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[tuple[int, int]] = []
        self._unread = 0
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  the parser passes it
        """Note an element that holds no sentences."""
        self._unread += tag in _UNREAD

    def handle_endtag(self, tag: str) -> None:
        """Note that such an element ends."""
        self._unread -= tag in _UNREAD and self._unread > 0

    def handle_data(self, data: str) -> None:
        """Note where a text stands."""
        line, column = self.getpos()
        start = self._lines[line - 1] + column
        blank = len(data) - len(data.lstrip())
        if data.strip() and not self._unread:
            self.texts.append((start + blank, start + len(data.rstrip())))
