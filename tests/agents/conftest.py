import asyncio
import json

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from errata import FactCorrection
from errata.evals.endpoint.wire import ABOUT, COMPLETIONS
from errata.tools.models.pool import close_loop_models
from example import DRAFT, PAGE
from openai_server import completion, prompt_name

CALL = {"index": 0, "id": "call-1", "type": "function"}


class Assistant:
    """A model that looks a person up, then answers wrongly; responds to our prompts by name."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.replies = {}
        self.prompts = []
        self.delay = 0.0

    async def complete(self, request):
        body = await request.json()
        prompt = prompt_name(request.headers)
        message = await self.judge(prompt) if prompt else chat(body)
        if message is None:
            return JSONResponse({"error": {"message": "no"}}, 401)
        return stream(message) if body.get("stream") else completion(message)

    async def judge(self, prompt):
        self.prompts.append(prompt)
        await asyncio.sleep(self.delay)
        reply = self.replies.get(prompt)
        return reply and {"role": "assistant", "content": reply}


def chat(body):
    """The next message of a conversation."""
    last = body["messages"][-1]
    if last["role"] == "user" and "hello" in last["content"].lower():
        return {"role": "assistant", "content": "Hello! How can I help you today?"}
    if last["role"] == "user" and body.get("tools"):
        call = {**CALL, "function": {"name": "look_up", "arguments": '{"name": "Curie"}'}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"role": "assistant", "content": DRAFT}


def stream(message):
    """A response with one message, word by word."""
    words = [{"content": f"{word} "} for word in (message["content"] or "").split()]
    if words:
        words[-1]["content"] = words[-1]["content"].strip()
    calls = [{"tool_calls": message["tool_calls"]}] if "tool_calls" in message else []
    deltas = [{"role": "assistant", "content": ""}, *words, *calls]
    ends = [None] * (len(deltas) - 1) + ["tool_calls" if calls else "stop"]

    async def events():
        for delta, end in zip(deltas, ends, strict=True):
            choice = {"index": 0, "delta": delta, "finish_reason": end}
            chunk = {**ABOUT, "object": "chat.completion.chunk", "choices": [choice]}
            yield f"data: {json.dumps(chunk)}\n\n"
        yield "data: [DONE]\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


@pytest.fixture(scope="module")
def served(serving_all):
    assistant = Assistant()
    routes = [Route(COMPLETIONS, assistant.complete, methods=["POST"])]
    assistant.url = f"{serving_all(Starlette(routes=routes))}/v1"
    return assistant


@pytest.fixture
def assistant(served, monkeypatch):
    """The model behind the agent's and behind `openai:m`."""
    served.reset()
    monkeypatch.setenv("OPENAI_BASE_URL", served.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    return served


@tool
def look_up(name: str) -> str:
    """Look a person up."""
    return f"{name}: {PAGE}"


@pytest.fixture
def agent(assistant):
    """An agent whose answers pass through the middleware; its connections are closed at the end."""
    from httpx2 import AsyncClient, Client, Limits

    client = Client()
    async_client = AsyncClient(limits=Limits(max_keepalive_connections=0))
    clients = {"http_client": client, "http_async_client": async_client}

    def make(checkpointer=None, tools=(look_up,), **options):
        model = ChatOpenAI(model="m", base_url=assistant.url, **clients)
        middleware = [FactCorrection(**options)]
        return create_agent(model, list(tools), middleware=middleware, checkpointer=checkpointer)

    yield make
    client.close()


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


def streamed(agent, request, config):
    *_, last = agent.stream(request, config, stream_mode="values")
    return last


def astreamed(agent, request, config):
    async def last_value():
        return [v async for v in agent.astream(request, config, stream_mode="values")][-1]

    return asyncio.run(closing(last_value()))


@pytest.fixture(params=[sync, asynchronous, streamed, astreamed], ids=lambda way: way.__name__)
def way(request):
    """Each way to run an agent."""
    return request.param
