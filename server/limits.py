"""The limits on a caller: size of a body, length of a text, runs at once."""

from asyncio import sleep
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.core.errors import InputError, count
from errata.server.identity import LOCAL
from errata.server.loopback import server_client
from errata.server.settings import ServerSettings
from errata.server.threads import MCP_CALLER

WRITING_PARTS = ("input", "command", "values", "supersteps")
"""The parts of a request that write into the state of a run or thread."""
BUSY_AFTER = 0.25
"""Seconds after its admission at which a run shows among its caller's busy threads."""
_admission_times: defaultdict[str, list[float]] = defaultdict(list)
_running_calls: Counter[str] = Counter()


async def admit_run(owner: str, field: str, settings: ServerSettings) -> bool:
    """Whether a caller may start another run; if so, it counts from now on.

    Counts the caller's busy threads, of all servers that share the database, and the runs that
    this process admitted too recently to be among them. `field` is the metadata that names the
    owner of a thread.
    """
    for delay in (0.0, BUSY_AFTER):
        await sleep(delay)
        busy = await server_client().threads.count(metadata={field: owner}, status="busy")
        now = monotonic()
        recent = [time for time in _admission_times[owner] if now - time < BUSY_AFTER]
        _admission_times[owner] = recent
        if busy + len(recent) < settings.max_runs:
            recent.append(now)
            return True
    return False


def check_length(request: Mapping[str, Any], settings: ServerSettings) -> None:
    """Refuse a request with too many documents, or too long texts apart from them.

    Raises InputError.
    """
    written = [request.get(name) for name in WRITING_PARTS]
    if (number := _documents(written)) > settings.max_documents:
        limit = settings.max_documents
        raise InputError(f"{count(number, 'document')}; at most {limit} are allowed")
    length = _length(written)
    limit = settings.max_draft_chars
    if length > limit:
        raise InputError(
            f"the texts apart from documents hold {length} characters; at most {limit} are allowed"
        )


def _length(part: object) -> int:
    """The characters of all texts in a part of a request, except in its documents."""
    if isinstance(part, Mapping):
        return sum(_length(value) for name, value in part.items() if name != "documents")
    if isinstance(part, list | tuple):
        return sum(_length(value) for value in part)
    return len(part) if isinstance(part, str) else 0


def _documents(part: object) -> int:
    """How many documents a part of a request has in all."""
    if isinstance(part, Mapping):
        given = part.get("documents")
        own = len(given) if isinstance(given, list | tuple) else 0
        return own + sum(_documents(value) for name, value in part.items() if name != "documents")
    return sum(map(_documents, part)) if isinstance(part, list | tuple) else 0


@contextmanager
def slot(user: Any, settings: ServerSettings) -> Iterator[None]:
    """Count a call of this caller's while it runs in this process.

    Raises InputError if as many run as may; callers who need no key have no limit.
    """
    name, limit = str(user.identity), settings.max_runs
    if LOCAL not in user.permissions and _running_calls[name] >= limit:
        raise InputError(f"{count(limit, 'call')} of yours under way; wait for one to end")
    _running_calls[name] += 1
    token = MCP_CALLER.set("" if LOCAL in user.permissions else name)
    try:
        yield
    finally:
        MCP_CALLER.reset(token)
        _running_calls[name] -= 1


class BodyLimit:
    """Middleware that answers 413 as soon as the body of a request exceeds the limit."""

    def __init__(self, app: ASGIApp, size: int) -> None:
        """Allow bodies of at most `size` bytes."""
        self.app, self.size = app, size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body up to the limit; pass it on whole, or answer 413.

        A body that announces its size is not read if it is too large. The connection of a web
        socket ends at the first message over the limit.
        """
        if scope["type"] == "websocket":
            await self.app(scope, partial(self._receive_message, receive), send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"")
        body, more, size = bytearray(), True, int(announced or 0)
        while more and size <= self.size:
            message = await receive()
            body += message.get("body", b"")
            more, size = message.get("more_body", False), len(body)
        if size > self.size:
            fault = {"detail": f"the body is larger than {self.size} bytes"}
            await JSONResponse(fault, 413)(scope, receive, send)
            return
        whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def receive_whole() -> Message:
            return whole.pop() if whole else await receive()

        await self.app(scope, receive_whole, send)

    async def _receive_message(self, receive: Receive) -> Message:
        message = await receive()
        size = max(len(message.get(kind) or "") for kind in ("text", "bytes"))
        if size > self.size:
            return {"type": "websocket.disconnect", "code": 1009}
        return message
