"""A text that is written while its sentences are taken."""

from asyncio import Event, Future, create_task
from collections.abc import Awaitable, Callable

from errata.nodes.ask import Tell
from errata.nodes.step import Update
from errata.tools.text.sentences import split_sentences

BEYOND = 12
"""How many characters of the next sentence show that one has ended: "Dr. S" is no end."""
Write = Callable[[str, Tell], Awaitable[str]]
"""Takes the text that is there and who is told what follows, as it comes; gives that whole."""


class Pen:
    """A text that is written while its sentences are taken, in order."""

    def __init__(self, write: Write, tell: Tell) -> None:
        """Begin to write when the first sentence is taken; `tell` gets the whole text so far."""
        self._write, self._tell = write, tell
        self._work: Future[str] | None = None
        self._news = Event()
        self._before, self._text = "", ""
        self._ends = list[int]()

    @property
    def whole(self) -> str:
        """The whole text once it is written; empty before."""
        done = self._work and self._work.done() and not self._work.cancelled()
        return self._before + self._text if done else ""

    async def take(self, before: str) -> Update:
        """The `text` that follows, up to the end of its next sentence; empty at the end.

        Raises what writing raises, once the sentences that are whole have been taken.
        """
        if self._work is None:
            self._before = before
            self._work = create_task(self._run())
            self._work.add_done_callback(lambda _: self._news.set())
        place = len(before) - len(self._before)
        while not (end := self._end_after(place)) and not self._work.done():
            self._news.clear()
            await self._news.wait()
        if not end:
            end = self._end_after(place, beyond=0)
            if not end:
                self._work.result()
                end = len(self._text)
        return {"text": self._text[place:end]}

    async def _run(self) -> str:
        def tell(text: str) -> None:
            lead = " " if self._before.strip() and text else ""
            self._text = lead + text
            self._tell(self._before + self._text)
            self._news.set()

        rest = await self._write(self._before, tell)
        if rest and self._before and not rest[0].isspace():
            rest = f" {rest}"
        self._text = rest
        self._ends = [end for _, end in split_sentences(rest)][:-1]
        return rest

    def _end_after(self, place: int, beyond: int = BEYOND) -> int:
        """Where the sentence after a place ends, if it is sure to have ended; else 0."""
        if self._ends:
            return next((end for end in self._ends if end > place), 0)
        spans = split_sentences(self._text[place:])
        sure = len(spans) > 1 and len(self._text) - place - spans[1][0] >= beyond
        return place + spans[0][1] if sure else 0

    def stop(self) -> None:
        """Write no more."""
        if self._work:
            self._work.cancel()
