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
from errata.tools.models.opening import close_loop_models

PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
DRAFT = "Marie Curie was born in 1865. She was Polish."
CALL = {"index": 0, "id": "call-1", "type": "function"}


class Assistant:
    """Look up first, then answer wrongly; answer errata's prompts as told."""

    JUDGING = {
        "rac/extract.v1": "Marie Curie was born in 1865.\nMarie Curie was Polish.",
        "rac/verify.v1": "1: False\n2: True",
        "rac/correct.v1": "Marie Curie was born in 1867.",
        "rac/revise.sentence.v1": "Marie Curie was born in 1867.",
    }
    """Replies with which the model itself finds and mends the error."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.replies = {}
        self.prompts = []
        self.delay = 0.0

    async def complete(self, request):
        body = await request.json()
        prompt = request.headers.get("x-errata-prompt")
        if prompt:
            self.prompts.append(prompt)
            await asyncio.sleep(self.delay)
            reply = self.replies.get(prompt, 401)
            if isinstance(reply, int):
                return JSONResponse({"error": {"message": "no"}}, reply)
            return self.sent(body, {"role": "assistant", "content": reply})
        last = body["messages"][-1]
        if last["role"] == "user" and "hello" in last["content"].lower():
            message = {"role": "assistant", "content": "Hello! How can I help you today?"}
        elif last["role"] == "user" and body.get("tools"):
            call = {**CALL, "function": {"name": "look_up", "arguments": '{"name": "Curie"}'}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        else:
            message = {"role": "assistant", "content": DRAFT}
        return self.sent(body, message)

    def sent(self, body, message):
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        about = {"id": "1", "created": 1, "model": "m"}
        if not body.get("stream"):
            row = {"index": 0, "message": message, "finish_reason": reason}
            return JSONResponse({**about, "object": "chat.completion", "choices": [row]})
        words = [{"content": f"{word} "} for word in (message["content"] or "").split()]
        if words:
            words[-1]["content"] = words[-1]["content"].strip()
        calls = [{"tool_calls": message["tool_calls"]}] if reason == "tool_calls" else []
        deltas = [{"role": "assistant", "content": ""}, *words, *calls]

        async def events():
            for number, delta in enumerate(deltas):
                end = reason if number == len(deltas) - 1 else None
                row = {"index": 0, "delta": delta, "finish_reason": end}
                chunk = {**about, "object": "chat.completion.chunk", "choices": [row]}
                yield f"data: {json.dumps(chunk)}\n\n"
            yield "data: [DONE]\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")


@pytest.fixture(scope="module")
def served(serving_all):
    assistant = Assistant()
    routes = [Route("/v1/chat/completions", assistant.complete, methods=["POST"])]
    assistant.url = f"{serving_all(Starlette(routes=routes))}/v1"
    return assistant


@pytest.fixture
def assistant(served, monkeypatch):
    assistant = served
    assistant.forget()
    monkeypatch.setenv("OPENAI_BASE_URL", assistant.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    return assistant


@tool
def look_up(name: str) -> str:
    """Look a person up."""
    return f"{name}: {PAGE}"


@pytest.fixture
def agent(assistant):
    """Give an agent whose answers pass through the middleware, and close its connections."""
    from httpx2 import AsyncClient, Client, Limits

    client = Client()
    passing = AsyncClient(limits=Limits(max_keepalive_connections=0))
    clients = {"http_client": client, "http_async_client": passing}

    def make(checkpointer=None, tools=(look_up,), **options):
        model = ChatOpenAI(model="m", base_url=assistant.url, **clients)
        middleware = [FactCorrection(**options)]
        return create_agent(model, list(tools), middleware=middleware, checkpointer=checkpointer)

    yield make
    client.close()


def sync(agent, asked, config):
    return agent.invoke(asked, config)


async def closing(work):
    """Close what the run opened before its event loop ends."""
    try:
        return await work
    finally:
        await close_loop_models()


def asynchronous(agent, asked, config):
    return asyncio.run(closing(agent.ainvoke(asked, config)))


def streamed(agent, asked, config):
    *_, last = agent.stream(asked, config, stream_mode="values")
    return last


def astreamed(agent, asked, config):
    async def last():
        async for value in agent.astream(asked, config, stream_mode="values"):
            found = value
        return found

    return asyncio.run(closing(last()))


@pytest.fixture(params=[sync, asynchronous, streamed, astreamed], ids=lambda way: way.__name__)
def way(request):
    """Run an agent in each of the ways there are."""
    return request.param
