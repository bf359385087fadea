"""How work goes on: a spinner on a terminal, else lines; a run live, or an event a line as JSON."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from errata.cli.output import write_line
from errata.core.events import KEY, Event, Judged, Shown, event_json
from errata.core.records import result_json
from errata.render.terminal import say

if TYPE_CHECKING:
    from rich.status import Status

    from errata.core.records import Answer, Correction
    from errata.session import Session

GAP = " … "
"""What stands for a sentence that is held back."""

EVERY = 30.0
"""Seconds between two lines where standard error is no terminal."""
_WORDS = {
    "fetch": ("read", "pages"),
    "look_up": ("looked up", "claims"),
    "verify": ("judged", "claims"),
    "correct": ("corrected", "claims"),
    "evaluate": ("judged", "documents"),
    "answer": ("answered", "questions"),
}
"""What a step does, and to what."""


class Progress:
    """Tells on standard error how much of some work is done."""

    def __init__(self) -> None:
        """Without a terminal, print at most one line in `EVERY` seconds."""
        self._told = monotonic()
        self._spinner: Status | None = None

    @contextmanager
    def shown(self, doing: str, *, quiet: bool = False) -> Iterator[None]:
        """On a terminal, show what is being done while the block runs."""
        if quiet or not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        with Console(stderr=True).status(doing) as self._spinner:
            yield
        self._spinner = None

    def tell_step(self, step: str, done: int, total: int) -> None:
        """Tell how far a step of a run is; steps that do one thing are not counted."""
        if total > 1:
            did, things = _WORDS.get(step, (f"{step}:", "done"))
            self.tell(f"{did} {done} of {total} {things}")

    def tell(self, text: str) -> None:
        """Tell how far the work is."""
        if self._spinner:
            self._spinner.update(text)
        elif monotonic() - self._told >= EVERY:
            self._told = monotonic()
            say(text)


def call(
    session: "Session", verb: str, *given: Any, stream: bool, as_json: bool
) -> "Answer | Correction":
    """A session's `correct` or `answer`; its result, and its events as a stream if wanted.

    Of a stream as JSON each event is a line, and so is the result.
    """
    result: Answer | Correction
    if not stream:
        result = session.run(getattr(session, f"a{verb}"), *given)
        return result

    async def follow(show: Callable[[Event], None]) -> Any:
        last: Any = None
        async with aclosing(getattr(session, f"astream_{verb}")(*given)) as events:
            async for last in events:
                if isinstance(last, Event):
                    show(last)
        return last

    with _view(as_json=as_json) as show:
        result = session.run(follow, show)
    if as_json:
        write_line({"event": type(result).__name__, **result_json(result)})
    return result


@contextmanager
def _view(*, as_json: bool) -> Iterator[Callable[[Event], None]]:
    if as_json:
        yield lambda event: write_line(event_json(event)[KEY])
    elif not sys.stderr.isatty():
        yield lambda _: None
    else:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        from errata.render.terminal import visible

        page, labels = Shown(), dict[str, str]()
        with Live(console=Console(stderr=True), transient=True) as live:

            def show(event: Event) -> None:
                page.add(event)
                if isinstance(event, Judged):
                    labels[event.claim.id] = event.verdict.label.replace("_", " ")
                counts = ", ".join(f"{n} {label}" for label, n in Counter(labels.values()).items())
                live.update(Text(f"{visible(page.text(GAP))}\n{counts}"))

            yield show
