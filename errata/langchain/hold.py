"""A chat model in front of an agent's own, whose answers are corrected before they are shown."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import agenerate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from errata.core.events import Event, Shown
from errata.running import run_once
from errata.tools.models.scripted import FakeChat

CORRECTED = "errata_corrected"
"""Where a held message carries its outcome to the end of the agent's turn."""
Words = asyncio.Queue[str | None]
"""The text of an answer as it comes; None ends it."""


class Relay(FakeChat):
    """Writes what another model is writing."""

    words: Any

    def answer(self, prompt: str, request: str, sample: int) -> AIMessage:
        """Never asked for."""
        raise NotImplementedError

    async def _astream(self, *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        while (text := await self.words.get()) is not None:
            yield ChatGenerationChunk(message=AIMessageChunk(content=text))


class HeldChat(BaseChatModel):
    """The agent's model: calls of tools pass through, answers come as they may be shown."""

    inner: Any
    check: Any
    """Corrects what a model writes to some messages, and tells its events; the outcome as JSON."""

    @property
    def _llm_type(self) -> str:
        return "errata"

    def bind_tools(self, tools: Sequence[Any], **settings: Any) -> Any:
        """The same with tools."""
        return self.model_copy(update={"inner": self.inner.bind_tools(tools, **settings)})

    def _generate(self, *args: Any, **settings: Any) -> ChatResult:
        return run_once(partial(self._agenerate, *args, **settings))

    async def _agenerate(self, *args: Any, **settings: Any) -> ChatResult:
        return await agenerate_from_stream(self._astream(*args, **settings))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002  the caller tells
        **settings: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        out = asyncio.Queue[AIMessageChunk | None]()
        own = settings | ({"stop": stop} if stop else {})
        work = asyncio.create_task(self._work(messages, own, out.put_nowait))
        work.add_done_callback(lambda _: out.put_nowait(None))
        try:
            while (chunk := await out.get()) is not None:
                yield ChatGenerationChunk(message=chunk)
            work.result()
        finally:
            work.cancel()

    async def _work(
        self,
        messages: list[BaseMessage],
        settings: dict[str, Any],
        put: Callable[[AIMessageChunk], None],
    ) -> None:
        """Check an answer while it comes; what calls tools is put out as it is, at its end."""
        words, page, whole, sent = Words(), Shown(), AIMessageChunk(content=""), ""
        checking: asyncio.Future[Any] | None = None

        def show(text: str) -> None:
            nonlocal sent
            if text.startswith(sent) and text != sent:
                put(AIMessageChunk(content=text[len(sent) :]))
                sent = text

        def tell(event: Event) -> None:
            page.add(event)
            show(page.ready)

        try:
            config = {"tags": ["nostream"]}
            async for chunk in self.inner.astream(messages, config, **settings):
                whole = whole + _as_chunk(chunk)
                words.put_nowait(str(chunk.text))
                if checking is None and str(whole.text).strip() and not whole.tool_call_chunks:
                    relay = Relay(words=words)
                    checking = asyncio.ensure_future(self.check(messages, relay, tell))
            words.put_nowait(None)
            outcome = {} if whole.tool_call_chunks or checking is None else await checking
        finally:
            if checking:
                checking.cancel()
        if "correction" not in outcome:
            show(outcome.get("content", str(whole.text)))
        more = {CORRECTED: outcome} if outcome else {}
        rest = {"content": "", "additional_kwargs": {**whole.additional_kwargs, **more}}
        put(whole.model_copy(update=rest))


def _as_chunk(message: BaseMessage) -> AIMessageChunk:
    """A chunk; the whole message of a model that does not stream as the only one."""
    if isinstance(message, AIMessageChunk):
        return message
    return AIMessageChunk(**message.model_dump(exclude={"type"}))
