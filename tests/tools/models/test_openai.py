"""OpenAI-compatible servers, spoken to over loopback in their own wire format."""

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata import correct
from errata.errors import AccessError, ChatError, ReplyError
from errata.tools.models.chat import Request, send
from errata.tools.models.opening import close_loop_models, current_models
from errata.tools.net.limits import Limits
from errata.tools.net.redaction import redact

pytestmark = pytest.mark.anyio
KEY = "sk-verysecretkey123"


class Server:
    """Answer chat completions from a plan: a text, a status, or a delay in seconds."""

    def __init__(self):
        self.plan = []
        self.seen = []
        self.replies = {}
        self.together = self.most = 0

    async def complete(self, request: HttpRequest) -> Response:
        body = await request.json()
        self.seen.append((dict(request.headers), body))
        self.together += 1
        self.most = max(self.most, self.together)
        try:
            return await self._answer(request, self.plan.pop(0) if self.plan else None)
        finally:
            self.together -= 1

    async def _answer(self, request, step):
        if isinstance(step, float):
            await asyncio.sleep(step)
        if isinstance(step, int):
            fault = {"error": {"message": f"no good, {KEY}", "type": "x", "code": None}}
            return JSONResponse(fault, step, {"retry-after-ms": "20"})
        if step == "streamed":
            event = '{"choices": [{"index": 0, "delta": {"content": "fine"}}]}'
            return Response(f"data: {event}\n\ndata: [DONE]\n\n", media_type="text/event-stream")
        if step == "broken":
            return Response("{nope", media_type="application/json")
        text = step if isinstance(step, str) else None
        name = request.headers.get("x-errata-prompt", "")
        reply = text if text is not None else self.replies.get(name, "fine")
        choice = {"role": "assistant", "content": reply}
        row = {"index": 0, "message": choice, "finish_reason": "stop"}
        return JSONResponse(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [row]}
        )


@pytest.fixture
def server(monkeypatch, serving):
    plan = Server()
    app = Starlette(routes=[Route("/v1/chat/completions", plan.complete, methods=["POST"])])
    address = f"{serving(app)}/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return plan


async def asking(limits=None, text="hello"):
    limits = limits or Limits()
    try:
        model = current_models().open("openai:m", limits)
        request = Request("verify", "rac/verify.v1", "0123456789", text)
        return await send(model, request, limits)
    finally:
        await close_loop_models()


async def test_the_prompts_name_travels_in_a_header_and_usage_is_estimated(server):
    reply = await asking()
    headers, body = server.seen[0]
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
    ("plan", "limits", "calls"),
    [
        ([429, 429], Limits(retries=2), 3),
        ([500], Limits(retries=1), 2),
        ([503, 429, 500], Limits(retries=3), 4),
    ],
)
async def test_what_may_pass_is_sent_again(server, plan, limits, calls):
    server.plan = plan
    assert (await asking(limits)).text == "fine"
    assert len(server.seen) == calls


@pytest.mark.parametrize(
    ("plan", "limits", "calls", "said"),
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
async def test_what_cannot_pass_ends_with_advice(server, plan, limits, calls, said):
    server.plan = plan
    with pytest.raises(ChatError, match=said) as caught:
        await asking(limits)
    assert len(server.seen) == calls
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "check the key"), (403, "may not use"), (404, "check the model's name")],
)
async def test_a_server_that_turns_us_away_ends_the_run(server, status, said):
    server.plan = [status]
    with pytest.raises(AccessError, match=said) as caught:
        await asking()
    assert len(server.seen) == 1
    assert KEY not in str(caught.value)


async def test_nobody_there_is_said_so(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ChatError, match="nothing answers there"):
        await asking(Limits(retries=0))


@pytest.mark.parametrize(
    ("reply", "said"), [("", "is empty"), ("broken", "is broken"), ("streamed", "is broken")]
)
async def test_such_a_reply_is_no_answer(server, reply, said):
    server.plan = [reply]
    with pytest.raises(ReplyError, match=f"rac/verify.v1@01234567 {said}"):
        await asking()


async def test_an_endpoint_gets_no_more_at_a_time_than_allowed(server):
    limits = Limits(at_once=3)
    server.plan = [0.05] * 9
    model = current_models().open("openai:m", limits)
    request = Request("verify", "rac/verify.v1", "0" * 8, "x")
    await asyncio.gather(*(send(model, request, limits) for _ in range(9)))
    await close_loop_models()
    assert server.most == 3


async def test_runs_with_different_limits_share_an_endpoint(server):
    """A run that asks for one call at a time waits while others have more under way."""
    server.plan = [0.05] * 12
    narrow, wide = Limits(at_once=1), Limits(at_once=3)
    models = current_models()
    request = Request("verify", "rac/verify.v1", "0" * 8, "x")
    calls = [(models.open("openai:m", limits), limits) for limits in [wide, narrow] * 6]
    await asyncio.gather(*(send(model, request, limits) for model, limits in calls))
    await close_loop_models()
    assert server.most == 3


def test_secrets_are_scrubbed(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "abcdefgh12345")
    assert redact(f"bad abcdefgh12345 and {KEY}") == "bad [secret] and [secret]"


QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a physicist."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
REPLIES = {
    "rac/extract.v1": "Marie Curie was born in 1865.\nMarie Curie was a physicist.",
    "rac/verify.v1": "1: False\n2: True",
    "rac/correct.v1": "Marie Curie was born in 1867.",
    "rac/revise.v1": "Marie Curie was born in 1867. She was a physicist.",
    "rac/revise.sentence.v1": "Marie Curie was born in 1867.",
}


def test_rac_runs_over_the_wire_in_one_loop_after_another(server):
    server.replies = REPLIES
    for _ in range(3):
        done = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m")
        assert done.response == REPLIES["rac/revise.v1"]
        assert done.usage.model_calls == 4
    assert KEY not in json.dumps([done.notes, done.usage.by_role])


@pytest.mark.parametrize("failing", ["rac/verify.v1", "rac/correct.v1", "rac/revise.sentence.v1"])
@pytest.mark.parametrize("reply", ["", "I'm sorry, but I can't help with that request."])
def test_whatever_one_role_fails_to_reply_the_draft_stays(server, failing, reply):
    server.replies = REPLIES | {failing: reply}
    done = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m")
    assert done.response == DRAFT
    assert failing in " ".join(done.notes)
    assert done.label != "supported"


def test_doctor_calls_each_model_once(server):
    from errata.cli.doctor import examine

    found = {row["what"]: row for row in examine({"model": "openai:m", "roles": {}})}
    assert found["model openai:m"]["ok"]
    assert "answers in" in found["model openai:m"]["found"]
    assert len(server.seen) == 1
    server.plan = [401]
    found = {row["what"]: row for row in examine({"model": "openai:m", "roles": {}})}
    assert not found["model openai:m"]["ok"]
    assert "check the key" in found["model openai:m"]["found"]
    assert KEY not in str(found)


def test_a_recorded_run_plays_back_without_a_server(server, tmp_path, monkeypatch):
    server.replies = REPLIES
    given = {"documents": [PAGE], "model": "openai:m"}
    first = correct(QUESTION, f"{DRAFT} {KEY}", record=str(tmp_path), **given)
    kept = "".join(path.read_text() for path in tmp_path.iterdir())
    assert KEY not in kept
    assert "[secret]" in kept
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    calls = len(server.seen)
    again = correct(QUESTION, f"{DRAFT} {KEY}", replay=str(tmp_path), **given)
    assert len(server.seen) == calls
    assert (again.response, again.verdicts) == (first.response, first.verdicts)


def test_a_missing_exchange_is_named(tmp_path):
    done = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m", replay=str(tmp_path))
    assert done.response == DRAFT
    assert "holds no exchange for this request of 'rac/extract.v1'" in done.notes[0]


def test_a_second_try_plays_back_its_own_reply(server, tmp_path):
    server.plan = ["", REPLIES["rac/verify.v1"]]
    given = {"documents": [PAGE], "roles": {"verify": "openai:m"}}
    first = correct(QUESTION, DRAFT, record=str(tmp_path), **given)
    again = correct(QUESTION, DRAFT, replay=str(tmp_path), **given)
    assert first.usage.model_calls == again.usage.model_calls == 2
    assert first.verdicts == again.verdicts


def test_mixed_roles_ask_only_for_theirs(server):
    server.replies = REPLIES
    done = correct(QUESTION, DRAFT, documents=[PAGE], roles={"verify": "openai:m"})
    assert done.usage.model_calls == 1
    assert done.response == REPLIES["rac/revise.v1"]
