"""Models' replies kept, and answered to whoever asks the same."""

import asyncio
from dataclasses import replace

import pytest
from langchain_core.language_models import FakeListChatModel

from cached_calls import LIMITS, REQUEST, ask, run, said_by, wait_for
from errata.cli.codes import code_of_run
from errata.core.errors import ChatError, ReplyError
from errata.evals.runner import never_answered
from errata.methods import METHODS
from errata.tools.models.pool import close_loop_models, current_models
from errata.tools.models.replies import Replies, digest_of
from errata.tools.models.request import Sampling
from errata.tools.models.scripted import ScriptedChat
from example import REPLIES, RESPONSE

pytestmark = pytest.mark.anyio


def test_a_second_run_asks_nothing_and_costs_nothing(openai_server, path):
    openai_server.replies = REPLIES
    first, count = run(path), len(openai_server.requests)
    again = run(path)
    assert len(openai_server.requests) == count == first.usage.model_calls == 3
    assert (again.response, again.verdicts, again.notes) == (RESPONSE, first.verdicts, first.notes)
    usage = again.usage
    assert (usage.model_calls, usage.prompt_tokens, usage.cached_calls) == (0, 0, 3)
    assert usage.by_role["verify"]["cached_calls"] == 1
    assert "model_calls" not in usage.by_role["verify"]
    context = METHODS["rac"].context(model="openai:m")
    assert code_of_run(again, context, strict=True) == 0
    assert not never_answered(usage)


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, text="hello there"),
        replace(REQUEST, digest="9876543210"),
        replace(REQUEST, sampling=Sampling(temperature=0)),
        replace(REQUEST, sample=1),
    ],
)
async def test_another_request_is_another_entry(openai_server, path, other):
    openai_server.plan = ["one", "two"]
    for _ in range(2):
        texts = [r.text for request in (REQUEST, other) for r in await ask(path, request)]
        assert texts == ["one", "two"]
    assert len(openai_server.requests) == 2


async def test_another_model_or_address_is_another_entry(openai_server, path, monkeypatch):
    await ask(path, REQUEST)
    await ask(path, REQUEST, model="openai:n")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    [error] = await ask(path, REQUEST)
    assert isinstance(error, ChatError)
    assert len(openai_server.requests) == 2


def test_what_nothing_tells_apart_is_not_kept():
    class Nameless(FakeListChatModel):
        @property
        def _identifying_params(self):
            return {}

    class Odd(FakeListChatModel):
        @property
        def _identifying_params(self):
            return {"place": object()}

    models = ScriptedChat(script={}), Nameless(responses=[""]), Odd(responses=[""])
    assert [digest_of(model, REQUEST) for model in models] == ["", "", ""]


@pytest.mark.parametrize("step", ["", "I'm sorry, I can't help with that.", 500, "broken"])
async def test_only_an_answer_is_kept(openai_server, path, step):
    openai_server.plan = [step]
    [failed] = await ask(path, REQUEST)
    assert isinstance(failed, ReplyError | ChatError)
    for _ in range(2):
        [reply] = await ask(path, REQUEST)
        assert reply.text == "fine"
    assert len(openai_server.requests) == 2


async def test_same_requests_at_once_are_one_call(openai_server, path):
    openai_server.delay = 0.2
    replies = await ask(path, *[REQUEST] * 5)
    assert [reply.text for reply in replies] == ["fine"] * 5
    assert sum(reply.usage.model_calls for reply in replies) == len(openai_server.requests) == 1
    assert sum(reply.usage.cached_calls for reply in replies) == 4


async def test_who_waited_for_a_call_that_failed_asks_for_itself(openai_server, path):
    openai_server.plan = [500]
    replies = await ask(path, *[REQUEST] * 3)
    assert isinstance(replies[0], ChatError)
    assert [reply.text for reply in replies[1:]] == ["fine"] * 2


@pytest.mark.parametrize("quitter", [0, 1])
async def test_who_gives_up_ends_nobody_elses_call(openai_server, path, quitter):
    openai_server.delay = 1.0
    model = current_models().open("openai:m", LIMITS)
    tasks = [
        asyncio.create_task(said_by(model, REQUEST, LIMITS, Replies(cache=path))) for _ in range(3)
    ]
    await asyncio.to_thread(wait_for, openai_server, 1)
    tasks.pop(quitter).cancel()
    assert [(await task).text for task in tasks] == ["fine"] * 2
    assert len(openai_server.requests) == (1 if quitter else 2)
    await close_loop_models()


def test_a_recording_is_whole_though_the_cache_answered(openai_server, path, tmp_path):
    openai_server.replies = REPLIES
    run(path)
    run(path, record=str(tmp_path / "record"))
    replayed = run(path, replay=str(tmp_path / "record"))
    assert (replayed.response, replayed.usage.cached_calls) == (RESPONSE, 0)
    assert len(openai_server.requests) == 3
