"""OpenAI-compatible servers over loopback: sound, limited, failing, silent or not there.

What a call to each brings, what it costs and what is counted.
"""

from dataclasses import replace

import pytest
from langchain_core.language_models import FakeListChatModel

from errata import correct
from errata.core.errors import AccessError, ChatError, ErrataError, RefusedError, ReplyError
from errata.core.limits import Run, open_run
from errata.evals.endpoint import wire
from errata.nodes.ask import ask_role
from errata.nodes.rac.state import RacContext
from errata.tools.models.chat import send
from errata.tools.models.pool import close_loop_models, current_models
from errata.tools.models.request import Request
from errata.tools.net.endpoints import Limits
from example import DRAFT, PAGE, QUESTION, REPLIES

pytestmark = pytest.mark.anyio
REQUEST = Request("verify", "rac/verify.v1", "0123456789", "hello")
DEAD = "http://127.0.0.1:9/v1"
ONCE = Limits(retries=0)
SAID = {"model_calls": 1, "estimated_calls": 1, "prompt_tokens": 2, "completion_tokens": 1}
NOT_OWN = "is broken: TypeError: it is no message of the model's own"
SAYS = {"role": "assistant", "content": "1: True"}
VERIFY = {"verify": "openai:m"}
MODEL = {"documents": [PAGE], "model": "openai:m"}


@pytest.fixture
async def ask():
    """Sends a request to `openai:m`; what it said, or the error, and its bill."""

    async def call(limits=ONCE, text="hello", **parts):
        model = current_models().open("openai:m", limits)
        with open_run(Run()) as run:
            try:
                given = await send(model, replace(REQUEST, text=text, **parts), limits)
            except ErrataError as error:
                given = error
        return given, run.usage.by_model.get("openai:m", {})

    yield call
    await close_loop_models()


async def test_the_prompts_name_is_in_a_header_and_missing_usage_is_estimated(openai_server, ask):
    reply, counts = await ask()
    headers, body = openai_server.requests[0]
    assert reply == "fine"
    assert headers["x-errata-prompt"] == "rac/verify.v1"
    assert body["messages"] == [{"content": "hello", "role": "user"}]
    assert not {"stream", "response_format", "tools"} & {name for name in body if body[name]}
    assert counts == SAID


@pytest.mark.parametrize("count", [-500, 1.5, 10**30, 1e200])
async def test_a_count_of_tokens_that_cannot_be_is_estimated(openai_server, ask, count):
    body = wire.completion({"role": "assistant", "content": "fine"})
    usage = {"prompt_tokens": count, "completion_tokens": 1, "total_tokens": 1}
    openai_server.plan = [body | {"usage": usage}]
    _, counts = await ask()
    assert counts["estimated_calls"] == 1
    assert 0 < counts["prompt_tokens"] < 10


async def test_a_call_is_repeated_and_one_that_brought_no_reply_is_counted(openai_server, ask):
    openai_server.plan = [503, 429, 500]
    assert await ask(Limits(retries=3)) == ("fine", SAID)
    openai_server.plan = [500] * 3
    error, counts = await ask(Limits(retries=2))
    assert isinstance(error, ChatError)
    assert counts == {"failed_calls": 1}


@pytest.mark.parametrize(
    ("status", "count", "kind", "message"),
    [
        (400, 1, ChatError, "Error code: 400"),
        (429, 2, ChatError, "over its limit"),
        (401, 1, AccessError, "check the key"),
        (404, 1, AccessError, "check the model's name"),
    ],
)
async def test_a_lasting_failure_is_an_error_without_the_key(
    openai_server, ask, status, count, kind, message
):
    openai_server.plan = [status] * 5
    error, _ = await ask(Limits(retries=1))
    assert isinstance(error, kind)
    assert message in str(error)
    assert len(openai_server.requests) == count
    assert openai_server.KEY not in str(error)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "is empty"),
        ("<think>1: True</think>", "is empty"),
        ("I'm sorry, but I can't help with that.", "refused"),
        (wire.completion(SAYS, reason="content_filter"), "refused"),
        (wire.completion(SAYS, reason="length"), "cut off"),
        ("broken", "is broken"),
        ("streamed", "is broken"),
        *(
            (wire.completion({"role": role, "content": "fine", "tool_call_id": "1"}), NOT_OWN)
            for role in ("user", "tool", "zzz", "system")
        ),
    ],
)
async def test_an_unusable_reply_is_an_error(openai_server, ask, reply, message):
    openai_server.plan = [reply]
    error, _ = await ask()
    assert isinstance(error, ReplyError)
    assert "rac/verify.v1@01234567" in str(error)
    assert message in str(error)


def test_any_failure_of_a_model_is_told_and_changes_nothing():
    """Without a reply to give it raises an IndexError."""
    roles = {"verify": FakeListChatModel(responses=[])}
    correction = correct(QUESTION, DRAFT, documents=[PAGE], roles=roles)
    assert correction.response == DRAFT
    assert "is broken: IndexError" in " ".join(correction.notes)


@pytest.mark.parametrize(
    "body",
    [
        {"choices": None},
        {"choices": [{"index": 0, "message": None}]},
        {"object": "chat.completion"},
    ],
    ids=str,
)
async def test_a_reply_without_a_message_is_asked_for_once_more(openai_server, body):
    openai_server.plan = [body]
    reply, _ = await ask_in_a_run(max_seconds=60)
    assert (reply.text, len(openai_server.requests)) == ("fine", 2)
    openai_server.plan = [body] * 2
    reply, _ = await ask_in_a_run(max_seconds=60)
    assert "is broken" in str(reply.failure)


@pytest.mark.parametrize("step", [5.0, "dribbled"])
async def test_a_call_takes_no_longer_than_allowed(openai_server, ask, step):
    openai_server.plan = [step]
    error, _ = await ask(Limits(retries=0, timeout=0.4))
    assert "no answer within 0.4 s" in str(error)


async def test_a_server_that_is_down_is_left_alone(openai_server, ask):
    openai_server.plan = [500] * 9
    limits = Limits(retries=0, breaker_after=3)
    outcomes = [await ask(limits) for _ in range(5)]
    assert len(openai_server.requests) == 3
    assert [isinstance(error, RefusedError) for error, _ in outcomes] == [False] * 3 + [True] * 2
    assert [counts for _, counts in outcomes[2:4]] == [{"failed_calls": 1}, {"refused_calls": 1}]
    assert "was not asked, for it failed 3 times in a row" in str(outcomes[4][0])


async def ask_in_a_run(max_seconds, **settings):
    """The reply that the role `verify` of a run gets that has so much time, and what it spends."""
    context = RacContext(roles=VERIFY, **settings)
    values = {"question": QUESTION, "claims": "1. x", "documents": PAGE}
    with open_run(Run(max_seconds)) as run:
        reply = await ask_role(context, "verify", "rac/verify", **values)
    await close_loop_models()
    return reply, run.usage


async def test_what_was_cut_by_the_runs_time_is_counted(openai_server):
    openai_server.plan = [429, 20.0]
    reply, usage = await ask_in_a_run(max_seconds=1)
    assert "time is over" in str(reply.failure)
    assert usage.by_model == {"openai:m": {"failed_calls": 1}}
    assert usage.by_role["verify"] == {"failed_calls": 1}


@pytest.mark.parametrize("again", [0, 1], ids=["nothing answers", "not asked"])
def test_without_its_only_server_a_run_changes_nothing(monkeypatch, again):
    monkeypatch.setenv("OPENAI_BASE_URL", DEAD)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for _ in range(again + 1):
        correction = correct(
            QUESTION, DRAFT, documents=[PAGE], roles=VERIFY, retries=0, breaker_after=1
        )
    assert correction.response == DRAFT
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    assert ("not asked" if again else "nothing answers") in " ".join(correction.notes)
    counted = "refused_calls" if again else "failed_calls"
    assert correction.usage.by_model == {"openai:m": {counted: 1}}


def test_a_reply_that_never_ends_costs_no_draft(openai_server):
    openai_server.plan, openai_server.replies = ["flooded"], REPLIES
    correction = correct(QUESTION, DRAFT, **MODEL)
    assert correction.response == DRAFT
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    [note] = [note for note in correction.notes if "larger than 5000000 bytes" in note]
    assert "for verify" in note
    assert correction.usage.by_role["verify"]["failed_calls"] == 1
    assert len(openai_server.requests) == 1
