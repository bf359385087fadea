"""How much a caller may ask: the size of a body, the length of a text, runs at once."""

from asyncio import sleep
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.errors import InputError
from errata.server.settings import ServerSettings

LOCAL, ADMIN = "local", "admin"
"""What a caller may be: one who needs no key, or one from whom nothing is kept."""
SETTLED = 0.25
"""Seconds after which a run that was let in shows among its caller's busy threads."""
_let_in: defaultdict[str, list[float]] = defaultdict(list)


async def admit(owner: str, field: str, settings: ServerSettings) -> bool:
    """Let another run in unless its caller has as many under way as may be.

    Runs of all servers that share a database count; those let in a moment ago count by this one.
    """
    for wait in (0.0, SETTLED):
        await sleep(wait)
        busy = await _client().threads.count(metadata={field: owner}, status="busy")
        now = monotonic()
        _let_in[owner] = [when for when in _let_in[owner] if now - when < SETTLED]
        if busy + len(_let_in[owner]) < settings.max_runs:
            _let_in[owner].append(now)
            return True
    return False


@cache
def _client() -> LangGraphClient:
    """Speak to this very server, past auth."""
    return get_client()


def check_length(asked: Mapping[str, Any], settings: ServerSettings) -> None:
    """Raise InputError where question, draft and messages of a request are too long together."""
    command = asked.get("command")
    update = command.get("update") if isinstance(command, Mapping) else None
    length, most = _length([asked.get("input"), update]), settings.max_draft_chars
    if length > most:
        raise InputError(f"question, draft and messages hold {length} characters; {most} may be")


def _length(part: object) -> int:
    if isinstance(part, Mapping):
        return sum(_length(value) for name, value in part.items() if name != "documents")
    if isinstance(part, list | tuple):
        return sum(_length(value) for value in part)
    return len(part) if isinstance(part, str) else 0


_under_way: Counter[str] = Counter()


@contextmanager
def slot(user: Any, settings: ServerSettings) -> Iterator[None]:
    """Hold a place among a caller's runs in this process; nobody who needs no key is held.

    Raises InputError where all are taken.
    """
    name, most = str(user.identity), settings.max_runs
    if LOCAL not in user.permissions and _under_way[name] >= most:
        raise InputError(f"{most} calls of yours are under way; wait for one to end")
    _under_way[name] += 1
    try:
        yield
    finally:
        _under_way[name] -= 1


class BodyLimit:
    """Refuse requests whose body is too large, said or found to be, before it is all read."""

    def __init__(self, app: ASGIApp, size: int) -> None:
        """Let bodies of at most `size` bytes through."""
        self.app, self.size = app, size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body as far as it may go, and pass it on whole."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, more = bytearray(), True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.size:
                fault = {"detail": f"the body is larger than {self.size} bytes"}
                await JSONResponse(fault, 413)(scope, receive, send)
                return
        whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replayed() -> Message:
            return whole.pop() if whole else await receive()

        await self.app(scope, replayed, send)
