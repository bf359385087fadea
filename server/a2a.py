"""Replies over A2A: failures say what was wrong, and events have the form that clients read.

LangGraph's A2A layer passes on only the kind of a failure, if that, and sends clients of A2A's
version 1 all events but the first in the form of version 0.3.
"""

import json
import re
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.server.settings import server_client

FAILED = ("failed", "TASK_STATE_FAILED")
UPDATES = {"status-update": "statusUpdate", "artifact-update": "artifactUpdate"}
"""The kinds of events as A2A's versions 0.3 and 1 name them."""
INVALID = -32602
"""JSON-RPC's code for parameters that cannot be used."""
_EVENT = re.compile(rb"^data: ({.*})", re.MULTILINE)
_refusals: ContextVar[list[str] | None] = ContextVar("errata.a2a_refusals", default=None)
"""Why the server refused the runs that the A2A request under way asked for."""


class A2AReplies:
    """Middleware that writes the messages of refused and failed runs into A2A replies.

    The A2A layer starts runs by requests to the server itself, which come past here too.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Complete the replies of `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass every request on; complete the replies over A2A, and note why runs are refused."""
        if scope["type"] == "http" and scope["path"].startswith("/a2a/"):
            refusals: list[str] = []
            token = _refusals.set(refusals)
            try:
                await self.app(scope, receive, _Completed(send, refusals))
            finally:
                _refusals.reset(token)
            return
        starts_run = (
            scope["type"] == "http"
            and scope["method"] == "POST"
            and scope["path"].endswith(("/runs", "/runs/stream"))
        )
        noted = _refusals.get() if starts_run else None
        await self.app(scope, receive, send if noted is None else _noting(send, noted))


def _noting(send: Send, refusals: list[str]) -> Send:
    """Sends a reply on, and notes why it refuses, if it does."""
    refuses = False

    async def send_and_note(message: Message) -> None:
        nonlocal refuses
        if message["type"] == "http.response.start":
            refuses = message["status"] >= HTTPStatus.BAD_REQUEST
        elif refuses and (detail := _read(message.get("body", b"")).get("detail")):
            refusals.append(str(detail))
        await send(message)

    return send_and_note


class _Completed:
    """Sends an A2A reply on, whole or event by event, with what it lacks."""

    def __init__(self, send: Send, refusals: list[str]) -> None:
        self._send, self._refusals = send, refusals
        self._start: Message | None = None
        self._version_1 = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        body = await self._complete(message.get("body", b""))
        if self._start:
            headers = MutableHeaders(scope=self._start)
            if "content-length" in headers:
                headers["content-length"] = str(len(body))
            await self._send(self._start)
            self._start = None
        await self._send({**message, "body": body})

    async def _complete(self, body: bytes) -> bytes:
        """A reply or an event as the client should have it."""
        event = _EVENT.search(body)
        reply = _read(event[1] if event else body)
        result = reply.get("result")
        if event and isinstance(result, dict):
            self._version_1 = self._version_1 or "task" in result
            field = UPDATES.get(result.get("kind", ""))
            if not (self._version_1 and field):
                return body
            reply["result"] = {field: result}
        elif "error" in reply and self._refusals:
            reply["error"] = {"code": INVALID, "message": self._refusals[-1]}
        elif not await _explain_task(result):
            return body
        written = json.dumps(reply).encode()
        return body[: event.start(1)] + written + body[event.end(1) :] if event else written


async def _explain_task(result: Any) -> bool:
    """Write the message of its error into a failed task; whether that could be done.

    It could not if a later task than this one ran on its thread.
    """
    task = result.get("task", result) if isinstance(result, dict) else {}
    status = task.get("status") or {}
    if status.get("state") not in FAILED or "message" not in status:
        return False
    thread = str(task["contextId"])
    runs = await server_client().runs.list(thread, limit=1)
    error: Any = (await server_client().threads.get(thread)).get("error") or {}
    last: set[Any] = set()
    for run in runs:
        over_a2a: Any = (run["metadata"] or {}).get("a2a") or {}
        last |= {over_a2a.get("task_id"), f"{thread}:{run['run_id']}"}
    fault = error.get("message") if str(task["id"]) in last else ""
    if fault:
        status["message"]["parts"] = [{"kind": "text", "text": str(fault)}]
    return bool(fault)


def _read(body: bytes) -> dict[str, Any]:
    """A JSON object; empty for anything else."""
    try:
        reply: Any = json.loads(body)
    except ValueError:
        return {}
    return reply if isinstance(reply, dict) else {}
