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
    ("plan", "limits", "count"),
    [
        ([429, 429], Limits(retries=2), 3),
        ([500], Limits(retries=1), 2),
        ([503, 429, 500], Limits(retries=3), 4),
    ],
)
async def test_a_transient_failure_is_retried(openai_server, plan, limits, count):
    openai_server.plan = plan
    [reply] = await ask(limits)
    assert reply.text == "fine"
    assert len(openai_server.requests) == count


@pytest.mark.parametrize(
    ("plan", "limits", "count", "message"),
    [
        ([400], Limits(), 1, "Error code: 400"),
        ([429] * 5, Limits(retries=1), 2, "over its limit"),
        ([500] * 5, Limits(retries=0), 1, "Error code: 500"),
        pytest.param(
            [5.0],
            Limits(timeout=1.0, retries=0),
            1,
            "no answer within 1 s",
            marks=pytest.mark.slow,
        ),
    ],
)
async def test_a_lasting_failure_is_an_error_without_the_key(
    openai_server, plan, limits, count, message
):
    openai_server.plan = plan
    with pytest.raises(ChatError, match=message) as error:
        await ask(limits)
    assert len(openai_server.requests) == count
    assert openai_server.KEY not in str(error.value)


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "check the key"), (403, "may not use"), (404, "check the model's name")],
)
async def test_a_refused_key_or_model_is_an_error_with_advice(openai_server, status, advice):
    openai_server.plan = [status]
    with pytest.raises(AccessError, match=advice) as error:
        await ask()
    assert len(openai_server.requests) == 1
    assert openai_server.KEY not in str(error.value)


async def test_an_address_without_a_server_is_an_error(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ChatError, match="nothing answers there"):
        await ask(Limits(retries=0))


@pytest.mark.parametrize(
    ("reply", "message"), [("", "is empty"), ("broken", "is broken"), ("streamed", "is broken")]
)
async def test_an_unusable_reply_is_an_error(openai_server, reply, message):
    openai_server.plan = [reply]
    with pytest.raises(ReplyError, match=f"rac/verify.v1@01234567 {message}"):
        await ask()


async def test_an_endpoint_gets_no_more_calls_at_once_than_allowed(openai_server):
    openai_server.plan = [0.05] * 9
    await ask(*[Limits(at_once=3)] * 9)
    assert openai_server.most == 3


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
        assert correction.usage.model_calls == 4
    assert openai_server.KEY not in json.dumps([correction.notes, correction.usage.by_role])


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


def test_a_model_in_one_role_is_asked_for_that_role_alone(openai_server):
    openai_server.replies = REPLIES
    correction = correct(QUESTION, DRAFT, documents=[PAGE], roles={"verify": "openai:m"})
    assert correction.usage.model_calls == 1
    assert correction.response == RESPONSE
