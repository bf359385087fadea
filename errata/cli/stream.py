"""A run as it goes on: an event a line, as JSON."""

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from errata.cli.output import write_line
from errata.core.events import KEY, Event, event_json
from errata.core.records import result_json

if TYPE_CHECKING:
    from errata.core.records import Answer, Correction
    from errata.session import Session


def call(session: "Session", verb: str, *given: Any, stream: bool) -> "Answer | Correction":
    """A session's `correct` or `answer`; of a stream each event is a line, and so is the result."""

    async def follow() -> Any:
        last: Any = None
        async with aclosing(getattr(session, f"astream_{verb}")(*given)) as events:
            async for last in events:
                if isinstance(last, Event):
                    write_line(event_json(last)[KEY])
        return last

    result: Answer | Correction
    if not stream:
        result = session.run(getattr(session, f"a{verb}"), *given)
        return result
    result = session.run(follow)
    write_line({"event": type(result).__name__, **result_json(result)})
    return result
