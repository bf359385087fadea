"""Edits of a thread's state: held to the same limits as the input of a run.

LangGraph's auth does not see their values, so a middleware reads them from the body. It reads the
input of runs, too: LangGraph would first validate a body that is refused, at many times the cost.
"""

import json
from asyncio import to_thread
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errata.core.errors import InputError
from errata.server.guard import CALLER
from errata.server.identity import is_unlimited
from errata.server.limits import check_length
from errata.server.policy import state_refusal
from errata.server.settings import ServerSettings

_WRITING = ("POST", "PUT", "PATCH")


class StateEditLimits:
    """Middleware that answers 403 or 413 to a state edit that a run's input could not make.

    It comes after `BodyLimit`, which passes bodies on whole.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        """Check edits against the operator's settings."""
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body of a request about threads or runs; pass it on, or answer what is wrong."""
        if not _may_edit(scope):
            await self.app(scope, receive, send)
            return
        message = await receive()
        status, fault = await to_thread(self._check, message.get("body", b""))
        if fault:
            await JSONResponse({"detail": fault}, status)(scope, receive, send)
            return
        whole: list[Message] = [message]

        async def receive_again() -> Message:
            return whole.pop() if whole else await receive()

        await self.app(scope, receive_again, send)

    def _check(self, body: bytes) -> tuple[int, str]:
        """The status and the fault of a body; no fault if it is allowed."""
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


def _may_edit(scope: Scope) -> bool:
    """Whether a request by a caller with limits may change threads or start runs."""
    if scope["type"] != "http" or scope["method"] not in _WRITING or CALLER not in scope:
        return False
    unlimited = is_unlimited(scope[CALLER]["permissions"])
    return not unlimited and scope["path"].split("/")[1] in ("threads", "runs")
