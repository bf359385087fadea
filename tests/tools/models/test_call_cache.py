"""Models' replies kept in a file, and answered from it by whoever asks the same."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI

from errata import correct
from errata.bounds import Bounds, open_bounds
from errata.cli.codes import code_of_run
from errata.errors import ChatError, ReplyError, SettingError
from errata.evals.runner import never_answered
from errata.methods import METHODS
from errata.tools.models.call_cache import CallCache, key_of
from errata.tools.models.chat import Request, send
from errata.tools.models.pool import close_loop_models, current_models
from errata.tools.models.sampling import Sampling
from errata.tools.models.scripted import ScriptedChat
from errata.tools.models.sqlite_calls import SqliteCalls
from errata.tools.net.limits import Limits
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
LIMITS = Limits(retries=0)
REQUEST = Request("verify", "rac/verify.v1", "0123456789", "hello")
PRIVATE = "the patient's name is Greta Holm"
KEPT = {
    "text": "fine",
    "usage": None,
    "finish_reason": "stop",
    "refusal": None,
    "sampling": {},
    "model": "openai:m",
    "prompt": "rac/verify.v1",
    "made": 1000.0,
}


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "kept" / "calls.sqlite")


@pytest.fixture
def calls(path):
    store = SqliteCalls(path)
    yield store
    store.close()


async def ask(cache, *requests, model="openai:m", limits=LIMITS):
    """The replies to some requests, sent at once."""
    opened = current_models().open(model, limits)
    try:
        sent = (send(opened, request, limits, cache=cache) for request in requests)
        return await asyncio.gather(*sent, return_exceptions=True)
    finally:
        await close_loop_models()


def run(path, **settings):
    """The worked example with a model in every role."""
    return correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m", call_cache=path, **settings)


def wait_for(server, count):
    """Wait until a server got so many requests."""
    for _ in range(3000):
        if len(server.requests) >= count:
            return
        time.sleep(0.01)
    raise AssertionError(server.requests)


def test_a_second_run_asks_nothing_and_costs_nothing(openai_server, path):
    openai_server.replies = REPLIES
    first, count = run(path), len(openai_server.requests)
    again = run(path)
    assert len(openai_server.requests) == count == first.usage.model_calls == 4
    assert (again.response, again.verdicts, again.notes) == (RESPONSE, first.verdicts, first.notes)
    assert (again.usage.model_calls, again.usage.prompt_tokens, again.usage.cached_calls) == (
        *(0, 0),
        4,
    )
    assert again.usage.by_role["verify"]["cached_calls"] == 1
    assert "model_calls" not in again.usage.by_role["verify"]


def test_a_kept_reply_has_the_models_name_in_usage(openai_server, path, calls):
    openai_server.replies = REPLIES
    spec = f"openai:m@{os.environ['OPENAI_BASE_URL']}"
    models = list(run(path, roles={"verify": spec}).usage.by_model)
    assert sorted(models) == sorted(calls.summary().by["model"]) == ["openai:m", spec]


def test_the_environment_may_name_the_cache(openai_server, path, monkeypatch):
    openai_server.replies = REPLIES
    monkeypatch.setenv("ERRATA_CALL_CACHE", path)
    run("")
    assert run(path).usage.cached_calls == run("").usage.cached_calls == 4


def test_a_run_from_the_cache_has_judged(openai_server, path):
    openai_server.replies = REPLIES
    run(path)
    again = run(path)
    context = METHODS["rac"].context(model="openai:m")
    assert code_of_run(again, context, "verify", strict=True) == 0
    assert not never_answered(again.usage)


@pytest.mark.parametrize(
    "other",
    [
        Request("verify", "rac/verify.v1", "0123456789", "hello there"),
        Request("verify", "rac/verify.v1", "9876543210", "hello"),
        Request("verify", "rac/verify.v1", "0123456789", "hello", Sampling(temperature=0)),
        Request("verify", "rac/verify.v1", "0123456789", "hello", Sampling(), 1),
    ],
)
async def test_another_request_is_another_entry(openai_server, path, other):
    openai_server.plan = ["one", "two"]
    cache = CallCache.open(path)
    for _ in range(2):
        assert [r.text for request in (REQUEST, other) for r in await ask(cache, request)] == [
            "one",
            "two",
        ]
    assert len(openai_server.requests) == 2


async def test_another_role_shares_the_reply_to_the_same_words(openai_server, path):
    cache = CallCache.open(path)
    await ask(cache, REQUEST)
    [reply] = await ask(cache, Request("judge", REQUEST.prompt, REQUEST.digest, REQUEST.text))
    assert reply.usage.by_role == {"judge": {"cached_calls": 1}}
    assert len(openai_server.requests) == 1


async def test_another_model_or_address_is_another_entry(openai_server, path, monkeypatch):
    cache = CallCache.open(path)
    await ask(cache, REQUEST)
    await ask(cache, REQUEST, model="openai:n")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    [error] = await ask(cache, REQUEST)
    assert isinstance(error, ChatError)
    assert len(openai_server.requests) == 2


@pytest.mark.usefixtures("openai_server")
def test_what_a_model_is_told_in_python_is_in_its_key():
    one, two = (ChatOpenAI(model="m", temperature=t) for t in (0.1, 0.2))
    assert key_of(one, REQUEST) == key_of(ChatOpenAI(model="m", temperature=0.1), REQUEST)
    assert key_of(one, REQUEST) != key_of(two, REQUEST)


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
    assert [key_of(model, REQUEST) for model in models] == ["", "", ""]


@pytest.mark.parametrize("step", ["", "I'm sorry, I can't help with that.", 500, "broken"])
async def test_only_an_answer_is_kept(openai_server, path, step):
    openai_server.plan = [step]
    cache = CallCache.open(path)
    [failed] = await ask(cache, REQUEST)
    assert isinstance(failed, ReplyError | ChatError)
    for _ in range(2):
        [reply] = await ask(cache, REQUEST)
        assert reply.text == "fine"
    assert len(openai_server.requests) == 2


async def test_same_requests_at_once_are_one_call(openai_server, path):
    openai_server.delay = 0.2
    replies = await ask(CallCache.open(path), *[REQUEST] * 5)
    assert [reply.text for reply in replies] == ["fine"] * 5
    assert sum(reply.usage.model_calls for reply in replies) == len(openai_server.requests) == 1
    assert sum(reply.usage.cached_calls for reply in replies) == 4


async def test_who_waited_for_a_call_that_failed_asks_for_itself(openai_server, path):
    openai_server.plan = [500]
    replies = await ask(CallCache.open(path), *[REQUEST] * 3)
    assert isinstance(replies[0], ChatError)
    assert [reply.text for reply in replies[1:]] == ["fine"] * 2


async def test_who_gives_up_waiting_ends_nobody_elses_call(openai_server, path):
    openai_server.delay = 0.3
    cache, model = CallCache.open(path), current_models().open("openai:m", LIMITS)
    first, second, third = (
        asyncio.create_task(send(model, REQUEST, LIMITS, cache=cache)) for _ in range(3)
    )
    await asyncio.to_thread(wait_for, openai_server, 1)
    second.cancel()
    assert [(await task).text for task in (first, third)] == ["fine"] * 2
    assert len(openai_server.requests) == 1
    await close_loop_models()


def test_calls_of_several_threads_are_one_call(openai_server, path):
    from concurrent.futures import ThreadPoolExecutor

    openai_server.replies, openai_server.delay = REPLIES, 0.1
    with ThreadPoolExecutor(3) as threads:
        results = list(threads.map(lambda _: run(path), range(3)))
    assert [result.response for result in results] == [RESPONSE] * 3
    assert len(openai_server.requests) == sum(r.usage.model_calls for r in results) == 4


async def test_an_old_reply_is_out_of_date(openai_server, path, calls):
    model = current_models().open("openai:m", LIMITS)
    calls.put(key_of(model, REQUEST), {**KEPT, "text": "old", "made": time.time() - 7200})
    [kept] = await ask(CallCache.open(path, hours=3), REQUEST)
    [new] = await ask(CallCache.open(path, hours=1), REQUEST)
    assert (kept.text, new.text, len(openai_server.requests)) == ("old", "fine", 1)


async def test_what_a_model_did_not_take_is_noted_again(openai_server, path):
    openai_server.refuses = ("temperature",)
    request = Request("verify", "rac/verify.v1", "0123", "hello", Sampling(temperature=0))
    notes = []
    for _ in range(2):
        with open_bounds(Bounds()) as bounds:
            await ask(CallCache.open(path), request)
        notes.append(list(bounds.notes))
    assert notes[0] == notes[1] == ["the model of verify takes no temperature; it chose without"]


def test_a_recording_is_whole_though_the_cache_answered(openai_server, path, tmp_path):
    openai_server.replies = REPLIES
    run(path)
    run(path, record=str(tmp_path / "record"))
    replayed = run(path, replay=str(tmp_path / "record"))
    assert (replayed.response, replayed.usage.cached_calls) == (RESPONSE, 0)
    assert len(openai_server.requests) == 4


async def test_the_file_holds_no_prompt(openai_server, path, tmp_path):
    cache = CallCache.open(path)
    await ask(cache, Request("verify", "rac/verify.v1", "0123", PRIVATE))
    assert len(openai_server.requests) == 1
    found = b"".join(each.read_bytes() for each in (tmp_path / "kept").iterdir())
    assert b"fine" in found
    assert PRIVATE.encode() not in found


def test_the_least_recently_used_go_first(path):
    store = SqliteCalls(path, megabytes=1)
    big = {**KEPT, "text": "x" * 200_000}
    for name in "abcd":
        store.put(name, big)
    assert store.get("a", 0.0)
    assert store.prune(size=500_000) == 2
    assert [name for name in "abcd" if store.get(name, 0.0)] == ["a", "d"]
    store.close()


def test_the_size_is_bounded_while_it_is_written(path):
    store = SqliteCalls(path, megabytes=1)
    for number in range(1001):
        store.put(str(number), {**KEPT, "text": "x" * 3000})
    found = store.summary()
    assert 0 < found.size <= 1_000_000
    assert store.get("1000", 0.0)
    assert store.prune(before=2000.0) == found.entries
    store.close()
    assert Path(path).stat().st_size < 100_000


GARBAGE = b"SQLite is not what this file is.\0" * 400


@pytest.mark.parametrize("damage", [GARBAGE, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_file_is_set_aside(openai_server, path, tmp_path, damage):
    openai_server.replies = REPLIES
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "calls.sqlite").write_bytes(damage)
    first = run(path)
    assert first.response == RESPONSE
    assert any("was damaged; it is now" in note for note in first.notes)
    [aside] = (tmp_path / "kept").glob("calls.sqlite.damaged-*")
    assert aside.read_bytes() == damage
    assert run(path).usage.cached_calls == 4


def test_damage_inside_a_file_is_no_crash(path, calls):
    for number in range(300):
        calls.put(str(number), {**KEPT, "text": "x" * 3000})
    calls.close()
    with Path(path).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 400_000)
    assert calls.get("7", 0.0) is None
    calls.put("7", KEPT)
    assert calls.get("7", 0.0) == KEPT


def test_a_damaged_row_is_no_reply(path, calls):
    calls.put("a", KEPT)
    calls.close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE calls SET value = '{\"text\": 1'")
    database.close()
    assert calls.get("a", 0.0) is None


@pytest.mark.parametrize(
    "other",
    [
        {"text": 1},
        {"text": ""},
        {"text": "I'm sorry, I can't help with that."},
        {"finish_reason": "length"},
        {"usage": [1]},
        {"usage": {"input_tokens": "many"}},
        {"sampling": {"top_z": 1}},
        {"sampling": {"temperature": "hot"}},
        {"made": "yesterday"},
    ],
)
async def test_what_another_version_or_hand_wrote_is_no_answer_unless_it_is_one(
    openai_server, path, calls, other
):
    model = current_models().open("openai:m", LIMITS)
    calls.put(key_of(model, REQUEST), KEPT | other | {"made": other.get("made", time.time())})
    for hours in (0, 1):
        [reply] = await ask(CallCache.open(path, hours), REQUEST)
        assert reply.text == "fine"
    assert len(openai_server.requests) == 1


@pytest.mark.usefixtures("openai_server")
async def test_a_reply_with_half_a_character_is_paid_once(path):
    asked, model = [], current_models().open("openai:m", LIMITS)

    async def reply():
        asked.append(1)
        return AIMessage("half a \ud83d face"), Sampling()

    for _ in range(2):
        await CallCache.open(path).answer(model, REQUEST, reply, bool)
    assert len(asked) == 1
    await close_loop_models()


def test_a_text_is_left_alone(openai_server, tmp_path):
    draft = tmp_path / "draft.txt"
    draft.write_text("Curie was born in 1867. " * 999)
    before = draft.read_bytes()
    with pytest.raises(SettingError, match="is a text and no cache"):
        run(str(draft))
    assert draft.read_bytes() == before
    assert not openai_server.requests
    assert not list(tmp_path.glob("*damaged*"))


def test_another_database_is_left_alone(openai_server, tmp_path):
    other = tmp_path / "notes.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE notes (text)")
    database.close()
    before = other.read_bytes()
    with pytest.raises(SettingError, match="is a database of something else"):
        run(str(other))
    assert other.read_bytes() == before
    assert not openai_server.requests


def test_a_place_that_cannot_be_written_is_noted(openai_server, tmp_path):
    openai_server.replies = REPLIES
    (tmp_path / "file").write_text("")
    result = run(str(tmp_path / "file" / "calls.sqlite"))
    assert result.response == RESPONSE
    assert [note for note in result.notes if "the call cache cannot be used" in note]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mysql://host/calls", "call_cache takes a file, redis://… or rediss://…"),
        ("redis://host:port/0", "is no address"),
    ],
)
def test_what_is_no_cache_is_refused(spec, message):
    with pytest.raises(SettingError, match=message):
        METHODS["rac"].context.validated({"call_cache": spec})


WRITE = """
import json, sys
from errata.tools.models.sqlite_calls import SqliteCalls
store = SqliteCalls(sys.argv[1])
kept = json.loads(sys.argv[4])
for number in range(int(sys.argv[3])):
    store.put(f"{sys.argv[2]}{number}", kept)
    print(number, flush=True)
store.close()
"""


def writer(path, name, count):
    command = [sys.executable, "-c", WRITE, path, name, str(count), json.dumps(KEPT)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_write_to_one_new_file(path, calls):
    processes = [writer(path, name, 150) for name in "ab"]
    assert [process.communicate(timeout=60) and process.returncode for process in processes] == [
        0,
        0,
    ]
    assert calls.summary().entries == 300


def test_what_was_kept_outlives_a_kill(path, calls):
    process = writer(path, "a", 10**9)
    kept = [process.stdout.readline().strip() for _ in range(40)]
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert [number for number in kept if not calls.get(f"a{number}", 0.0)] == []
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


CORRECT = """
import sys
from errata import correct
correct(*sys.argv[2:4], documents=[sys.argv[4]], model="openai:m", call_cache=sys.argv[1])
"""


def test_a_killed_run_pays_nothing_twice(openai_server, path):
    openai_server.replies = REPLIES
    openai_server.plan = [REPLIES["rac/extract"], REPLIES["rac/verify"], 4.0]
    command = [sys.executable, "-c", CORRECT, path, QUESTION, DRAFT, PAGE]
    process = subprocess.Popen(command)
    wait_for(openai_server, 3)
    process.kill()
    process.wait()
    result = run(path)
    assert (result.response, result.usage.cached_calls, result.usage.model_calls) == (
        RESPONSE,
        2,
        2,
    )
    asked = [json.dumps(body["messages"]) for _, body in openai_server.requests]
    assert (len(asked), len(set(asked))) == (5, 4)
