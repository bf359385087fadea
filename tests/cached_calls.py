"""What the tests of the call cache share: a request, a reply that is kept, and calls."""

import asyncio
import json
import time
from types import SimpleNamespace

from errata import correct
from errata.core.limits import Run, open_run
from errata.tools.models.chat import send
from errata.tools.models.pool import close_loop_models, current_models
from errata.tools.models.replies import Replies, digest_of
from errata.tools.models.request import Request
from errata.tools.net.endpoints import Limits
from example import DRAFT, PAGE, QUESTION

LIMITS = Limits(retries=0)
REQUEST = Request("verify", "rac/verify.v1", "0123456789", "hello")
KEPT = {"text": "fine", "usage": None, "finish_reason": "stop", "refusal": None, "sampling": {}}
KEPT |= {"model": "openai:m", "prompt": "rac/verify.v1"}


def keep(store, key, **other):
    """Keep the reply, but for what is other, in a store."""
    store.put(key, json.dumps({**KEPT, **other}).encode())


def key_of(model, request=REQUEST):
    """What a reply is kept under."""
    return f"{request.key}-{request.sample}-{digest_of(model, request)}"


async def said_by(model, request, limits, replies=None):
    """What a model says, and what that costs."""
    with open_run(Run()) as run:
        text = await send(model, request, limits, replies)
    return SimpleNamespace(text=text, usage=run.usage)


async def ask(path, *requests, model="openai:m"):
    """The replies to some requests, sent at once, with a cache in a file."""
    opened = current_models().open(model, LIMITS)
    try:
        kept = Replies(cache=path)
        sent = (said_by(opened, request, LIMITS, kept) for request in requests)
        return await asyncio.gather(*sent, return_exceptions=True)
    finally:
        await close_loop_models()


def run(path, **settings):
    """The worked example with a model in every role."""
    settings |= {"call_cache": path} if path else {}
    return correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m", **settings)


def wait_for(server, count):
    """Wait until a server got so many requests."""
    for _ in range(3000):
        if len(server.requests) >= count:
            return
        time.sleep(0.01)
    raise AssertionError(server.requests)
