"""A run as it goes on: live on a terminal, or an event a line as JSON."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any

from errata.cli.output import write_line
from errata.core.events import KEY, Event, Judged, Shown, event_json
from errata.core.records import result_json

if TYPE_CHECKING:
    from errata.core.records import Answer, Correction
    from errata.session import Session

GAP = " … "
"""What stands for a sentence that is held back."""


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
