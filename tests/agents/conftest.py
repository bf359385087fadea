import asyncio
import json
import re
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, ToolCall
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool

from errata import FactCorrection
from errata.tools.models.pool import close_loop_models
from example import DRAFT, PAGE


class Writer(BaseChatModel):
    """A model that looks a person up, if it may, and answers wrongly, or as it is told to."""

    reply: Any = AIMessage(DRAFT)
    may_look_up: bool = False

    @property
    def _llm_type(self):
        return "writer"

    def bind_tools(self, *_, **__):
        return self.model_copy(update={"may_look_up": True})

    def _generate(self, messages, *_, **__):
        asked, reply = messages[-1].type == "human", self.reply.model_copy()
        if asked and "hello" in messages[-1].text.lower():
            reply = AIMessage("Hello! How can I help you today?")
        elif asked and self.may_look_up:
            call = ToolCall(name="look_up", args={"name": "Curie"}, id="call-1")
            reply = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def _stream(self, messages, *_, **__):
        reply = self._generate(messages).generations[0].message
        calls = [
            {"name": call["name"], "args": json.dumps(call["args"]), "id": call["id"], "index": 0}
            for call in reply.tool_calls
        ]
        for text in re.findall(r"\S+\s*", reply.content) or [""]:
            yield ChatGenerationChunk(message=AIMessageChunk(text, tool_call_chunks=calls))


@tool
def look_up(name: str) -> str:
    """Look a person up."""
    return f"{name}: {PAGE}"


@pytest.fixture
def agent():
    """An agent whose answers pass through the middleware."""

    def make(checkpointer=None, tools=(), looks_up=True, form=None, writer=(), **options):
        own = {"middleware": [FactCorrection(**options)], "response_format": form}
        tools = [*tools, *([look_up] if looks_up else [])]
        return create_agent(Writer(**dict(writer)), tools, checkpointer=checkpointer, **own)

    return make


def sync(agent, request, config):
    return agent.invoke(request, config)


async def closing(work):
    """The work's outcome; what the run opened is closed before its event loop ends."""
    try:
        return await work
    finally:
        await close_loop_models()


def asynchronous(agent, request, config):
    return asyncio.run(closing(agent.ainvoke(request, config)))


@pytest.fixture(params=[sync, asynchronous], ids=lambda way: way.__name__)
def way(request):
    """Both ways to run an agent; each has hooks of its own."""
    return request.param
