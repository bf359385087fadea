"""The calls to a model that a run makes: who waited for whom, and the same calls made bare.

A bare call is the request alone, sent by an HTTP client. A run's calls are made again in waves: a
call waits for those that had ended when the run made it.
"""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from httpx2 import AsyncClient, Limits
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.tracers.context import register_configure_hook

from errata.tools.models.chat import HEADER

_MOST_SECONDS = 600


@dataclass
class Call:
    """One call: the template's name, the text, and when it began and ended, in seconds."""

    prompt: str
    text: str
    began: float
    ended: float = float("inf")


class CallLog(AsyncCallbackHandler):
    """Keeps the calls of a run, in the order in which they began."""

    def __init__(self) -> None:
        """No call was made yet."""
        self.calls: list[Call] = []
        self._open: dict[UUID, Call] = {}

    async def on_chat_model_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002  LangChain's signature
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Keep a call."""
        prompt = (metadata or {}).get("prompt", "")
        call = Call(prompt, str(messages[0][-1].text), time.perf_counter())
        self.calls.append(call)
        self._open[run_id] = call

    async def on_llm_end(self, response: Any, *, run_id: UUID, **_: Any) -> None:  # noqa: ARG002
        """Say when it ended."""
        self._end(run_id)

    async def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:  # noqa: ARG002
        """Say when it ended, with or without a reply."""
        self._end(run_id)

    def _end(self, run_id: UUID) -> None:
        if call := self._open.pop(run_id, None):
            call.ended = time.perf_counter()

    @property
    def waves(self) -> list[list[Call]]:
        """The calls by how many had to end before them, one after another."""
        waves = list[list[Call]]()
        depths = list[tuple[float, int]]()
        for call in self.calls:
            depth = max((depth + 1 for ended, depth in depths if ended <= call.began), default=0)
            waves += [[]] * (depth == len(waves))
            waves[depth] = [*waves[depth], call]
            depths.append((call.ended, depth))
        return waves


_LOG: ContextVar[CallLog | None] = ContextVar("errata.evals.benches.calls", default=None)
register_configure_hook(_LOG, inheritable=True)


@contextmanager
def logged_calls() -> Iterator[CallLog]:
    """Keep the calls to models that are made inside the block, in this task and those it starts."""
    log = CallLog()
    token = _LOG.set(log)
    try:
        yield log
    finally:
        _LOG.reset(token)


class BareClient:
    """Makes calls to the endpoint at OPENAI_BASE_URL by an HTTP client alone."""

    def __init__(self, model: str) -> None:
        """Raises KeyError if OPENAI_BASE_URL is not set."""
        self._model = model
        self._http = AsyncClient(
            base_url=os.environ["OPENAI_BASE_URL"].rstrip("/") + "/",
            timeout=_MOST_SECONDS,
            limits=Limits(max_connections=None, max_keepalive_connections=None),
            headers={"authorization": f"Bearer {os.environ.get('OPENAI_API_KEY') or 'none'}"},
        )

    async def __aenter__(self) -> "BareClient":
        """Nothing is opened before the first call."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def call(self, prompt: str, text: str) -> dict[str, Any]:
        """The body of one reply; raises HTTPStatusError if the endpoint refuses."""
        body = {"model": self._model, "messages": [{"role": "user", "content": text}]}
        reply = await self._http.post("chat/completions", json=body, headers={HEADER: prompt})
        reply.raise_for_status()
        return dict(reply.json())

    async def repeat(self, waves: Sequence[Sequence[Call]]) -> float:
        """Make the calls of a run again, wave after wave; how many seconds that took."""
        began = time.perf_counter()
        for wave in waves:
            await asyncio.gather(*(self.call(call.prompt, call.text) for call in wave))
        return time.perf_counter() - began
