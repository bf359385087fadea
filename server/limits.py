"""The limits on a caller: requests and bytes a minute, size of a body, length of a text, runs.

A middleware reads state edits from the body, since LangGraph's auth does not see their values, and
the input of runs, since LangGraph would first validate a refused one at many times the cost.
"""

import json
from asyncio import sleep, to_thread
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from time import monotonic, time
from typing import Any

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.core.errors import InputError, count
from errata.server.guard import CALLER
from errata.server.keys import ANYBODY, LOCAL, is_unlimited
from errata.server.policy import WRITING_PARTS, server_client, state_refusal
from errata.server.settings import ServerSettings
from errata.server.threads import MCP_CALLER

_EDITING = ("POST", "PUT", "PATCH")
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
        recent = [then for then in _admission_times[owner] if now - then < BUSY_AFTER]
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


class BodyLimits:
    """Middleware that answers 413 as soon as a body exceeds the limit.

    To a state edit, or to a run, by a caller with limits it answers 403, 413 or 422 if its body
    holds what they may not write.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Check bodies by the operator's settings."""
        self.app, self.settings, self.size = app, settings, settings.max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body up to the limit; pass it on whole, or answer what is wrong.

        A body that announces its size is not read if it is too large. The connection of a web
        socket ends at the first message over the limit.
        """
        if scope["type"] == "websocket":
            await self.app(scope, partial(self._receive_message, receive), send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = await self._read(scope, receive)
        status, fault = await self._check(scope, body)
        if fault:
            await JSONResponse({"detail": fault}, status)(scope, receive, send)
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return whole.pop() if whole else await receive()

        await self.app(scope, receive_whole, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body of a request; None if it is too large."""
        announced = dict(scope["headers"]).get(b"content-length", b"")
        body, more, size = bytearray(), True, int(announced or 0)
        while more and size <= self.size:
            message = await receive()
            body += message.get("body", b"")
            more, size = message.get("more_body", False), len(body)
        return bytes(body) if size <= self.size else None

    async def _check(self, scope: Scope, body: bytes | None) -> tuple[int, str]:
        """The status and the fault of a request; no fault if it is allowed."""
        if body is None:
            return 413, f"the body is larger than {self.size} bytes"
        return await to_thread(self._check_written, body) if _may_edit(scope) else (200, "")

    def _check_written(self, body: bytes) -> tuple[int, str]:
        try:
            request: Any = json.loads(body) if body else {}
            if not isinstance(request, Mapping):
                return 200, ""
            check_length(request, self.settings)
            return 403, state_refusal(request)
        except InputError as error:
            return 413, str(error)
        except (ValueError, RecursionError):
            return 422, "the body is not JSON, or nested too deeply"

    async def _receive_message(self, receive: Receive) -> Message:
        message = await receive()
        size = max(len(message.get(kind) or "") for kind in ("text", "bytes"))
        return {"type": "websocket.disconnect", "code": 1009} if size > self.size else message


def _may_edit(scope: Scope) -> bool:
    """Whether a request by a caller with limits may change threads or start runs."""
    if scope["method"] not in _EDITING or CALLER not in scope:
        return False
    unlimited = is_unlimited(scope[CALLER]["permissions"])
    return not unlimited and scope["path"].split("/")[1] in ("threads", "runs")


class RateLimits:
    """Middleware that answers 429 to a caller's requests over the limits of a minute.

    Callers who need no key, admins, and paths that need no key have none. Counted in this process.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Limit the requests for `app` by the operator's settings."""
        self.app, self.largest = app, settings.max_body_bytes
        self._limits = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerMinute(settings.max_requests, namespace="requests")
        self._bytes = RateLimitItemPerMinute(settings.max_bytes, namespace="bytes")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429 and say when to come again."""
        caller = scope.get(CALLER, ANYBODY)
        unlimited = caller is ANYBODY or is_unlimited(caller["permissions"])
        if scope["type"] != "http" or unlimited:
            await self.app(scope, receive, send)
            return
        name, size = caller["identity"], self._size(scope)
        for limit, cost, unit in ((self._requests, 1, "requests"), (self._bytes, size, "bytes")):
            if cost and not self._limits.hit(limit, name, cost=cost):
                fault = {"detail": f"you may send {limit.amount} {unit} a minute; come back later"}
                headers = {"retry-after": str(self._seconds(limit, name))}
                await JSONResponse(fault, 429, headers)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _size(self, scope: Scope) -> int:
        """The bytes that a request announces; the most allowed if it announces none."""
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            return self.largest
        return int(headers.get(b"content-length", b"0"))

    def _seconds(self, limit: RateLimitItem, name: str) -> int:
        reset = self._limits.get_window_stats(limit, name).reset_time
        return max(1, round(reset - time()))
