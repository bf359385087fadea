"""A stand-in for an OpenAI-compatible server, spoken to over loopback."""

import asyncio
import re
from itertools import repeat

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from errata.evals.endpoint import wire
from errata.evals.endpoint.faults import flood
from errata.prompts.library import stem_of

TOKENS = 'data: {"choices": [{"index": 0, "delta": {"content": "fine"}}]}\n\ndata: [DONE]\n\n'


def completion(message, usage=None):
    """A response with one message in the API's format, with the usage if any."""
    return JSONResponse(wire.completion(message) | ({"usage": usage} if usage else {}))


def prompt_name(headers):
    """The prompt that a request of ours names in a header, without its version."""
    return stem_of(headers.get("x-errata-prompt", ""))


async def dribble():
    """A body of which a part always comes, and that never ends."""
    for part in repeat(b" "):
        yield part
        await asyncio.sleep(0.02)


ENDLESS = {"dribbled": dribble, "flooded": flood}


class OpenAIServer:
    """Responds by a plan of texts, bodies, statuses and delays in seconds, then by prompts' names.

    A request that has a parameter among those that it `refuses` gets a 400. The headers of a status
    are `wait`.
    """

    KEY = "sk-verysecretkey123"

    def __init__(self):
        self.plan, self.replies, self.delay = [], {}, 0.0
        self.requests, self.ports = [], set()
        self.under_way = self.most = 0
        self.refuses = ()
        self.wait = {"retry-after-ms": "20"}
        self.cut, self.stalls, self.writing = None, False, None
        self.usage, self.models = None, []

    async def parts(self, text):
        """A reply word by word, which breaks off after `cut` characters, or stands still there."""
        sent = 0
        for word in re.findall(r"\s*\S+", text):
            if self.cut is not None and sent + len(word) > self.cut:
                yield wire.chunk(word[: self.cut - sent])
                if self.stalls:
                    await asyncio.sleep(60)
                raise ConnectionError
            yield wire.chunk(word)
            sent += len(word)
            if self.writing:
                await self.writing(sent)
        yield wire.chunk("", reason="stop")

    @property
    def app(self):
        listing = Route("/v1/models", lambda _: JSONResponse({"data": self.models}))
        return Starlette(routes=[Route(wire.COMPLETIONS, self.complete, methods=["POST"]), listing])

    async def complete(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append((dict(request.headers), body))
        if unsupported := [name for name in self.refuses if name in body]:
            message = f"Unsupported parameter: '{unsupported[0]}' is not supported with this model."
            return JSONResponse({"error": {"message": message, "param": unsupported[0]}}, 400)
        self.ports.add(request.client.port)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            return await self.respond(request, self.plan.pop(0) if self.plan else self.delay)
        finally:
            self.under_way -= 1

    async def respond(self, request, step):  # noqa: PLR0911  a way for each step of the plan
        if isinstance(step, int):
            fault = wire.error(f"no good, {self.KEY}")
            return JSONResponse(fault, step, self.wait)
        if isinstance(step, dict):
            return JSONResponse(step)
        if step == "streamed":
            return Response(TOKENS, media_type="text/event-stream")
        if step in ENDLESS:
            return StreamingResponse(ENDLESS[step](), media_type="application/json")
        if step == "broken":
            return Response("{nope", media_type="application/json")
        if isinstance(step, float):
            await asyncio.sleep(step)
            step = self.replies.get(prompt_name(request.headers), "fine")
            step = step(await request.json()) if callable(step) else step
        if (await request.json()).get("stream"):
            return StreamingResponse(self.parts(step), media_type="text/event-stream")
        return completion({"role": "assistant", "content": step}, self.usage)
