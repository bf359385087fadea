"""OpenAI-compatible servers, spoken to over loopback in their own wire format."""

import asyncio
import json
import os
import tracemalloc

import pytest

from errata import correct
from errata.core.errors import AccessError, ChatError, ReplyError
from errata.tools.models.chat import send
from errata.tools.models.pool import close_loop_models, current_models
from errata.tools.models.request import Request
from errata.tools.net.limits import Limits
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
REQUEST = Request("verify", "rac/verify.v1", "0123456789", "hello")


async def ask(*limits):
    """The replies to one request with each of the limits, all sent at once."""
    models = current_models()
    calls = [send(models.open("openai:m", each), REQUEST, each) for each in limits or [Limits()]]
    try:
        return await asyncio.gather(*calls)
    finally:
        await close_loop_models()


async def test_the_prompts_name_is_in_a_header_and_missing_usage_is_estimated(openai_server):
    [reply] = await ask()
    headers, body = openai_server.requests[0]
    assert reply.text == "fine"
    assert headers["x-errata-prompt"] == "rac/verify.v1"
    assert body["messages"] == [{"content": "hello", "role": "user"}]
    assert not {"stream", "response_format", "tools"} & {name for name in body if body[name]}
    assert reply.usage.by_role["verify"] == {
        "model_calls": 1,
        "prompt_tokens": 2,
        "completion_tokens": 1,
        "estimated_calls": 1,
    }


@pytest.mark.parametrize(
    ("status", "count", "kind", "message"),
    [
        (400, 1, ChatError, "Error code: 400"),
        (429, 2, ChatError, "over its limit"),
        (401, 1, AccessError, "check the key"),
        (403, 1, AccessError, "may not use"),
        (404, 1, AccessError, "check the model's name"),
    ],
)
async def test_a_lasting_failure_is_an_error_without_the_key(
    openai_server, status, count, kind, message
):
    openai_server.plan = [status] * 5
    with pytest.raises(kind, match=message) as error:
        await ask(Limits(retries=1))
    assert len(openai_server.requests) == count
    assert openai_server.KEY not in str(error.value)


@pytest.mark.parametrize(
    ("reply", "message"), [("", "is empty"), ("broken", "is broken"), ("streamed", "is broken")]
)
async def test_an_unusable_reply_is_an_error(openai_server, reply, message):
    openai_server.plan = [reply]
    with pytest.raises(ReplyError, match=f"rac/verify.v1@01234567 {message}"):
        await ask()


async def test_runs_with_different_limits_share_an_endpoint(openai_server):
    """A run that allows one call at a time waits while others have more under way."""
    openai_server.plan = [0.05] * 12
    await ask(*[Limits(at_once=3), Limits(at_once=1)] * 6)
    assert openai_server.most == 3


def test_rac_runs_in_one_event_loop_after_another(openai_server):
    openai_server.replies = REPLIES
    for _ in range(3):
        correction = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m")
        assert correction.response == RESPONSE
        usage = correction.usage
        assert usage.by_model["openai:m"]["model_calls"] == usage.model_calls == 4
        assert usage.by_model["openai:m"]["prompt_tokens"] == usage.prompt_tokens
    assert openai_server.KEY not in json.dumps([correction.notes, usage.by_role])


@pytest.mark.parametrize("prompt", ["rac/verify", "rac/correct", "rac/revise.sentence"])
@pytest.mark.parametrize("reply", ["", "I'm sorry, but I can't help with that request."])
def test_the_draft_stays_if_one_role_fails(openai_server, prompt, reply):
    openai_server.replies = REPLIES | {prompt: reply}
    correction = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m")
    assert correction.response == DRAFT
    assert prompt in " ".join(correction.notes)
    assert correction.label != "supported"


def test_a_reply_that_never_ends_costs_little_memory_and_no_draft(openai_server):
    openai_server.plan = [REPLIES["rac/extract"], "flooded"]
    openai_server.replies = REPLIES
    tracemalloc.start()
    try:
        correction = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m")
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    assert correction.response == DRAFT
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    [note] = [note for note in correction.notes if "larger than 5000000 bytes" in note]
    assert "for verify" in note
    assert correction.usage.by_role["verify"]["failed_calls"] == 1
    assert len(openai_server.requests) == 2


def test_the_environment_may_name_a_proxy(openai_server, monkeypatch):
    openai_server.replies = REPLIES
    monkeypatch.setenv("OPENAI_PROXY", os.environ["OPENAI_BASE_URL"].removesuffix("/v1"))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://models.invalid/v1")
    assert correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m").response == RESPONSE
    assert {headers["host"] for headers, _ in openai_server.requests} == {"models.invalid"}
