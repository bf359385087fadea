"""Models' replies in a file: what is in it, its bounds, damage, what else it may be."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cached_calls import LIMITS, REQUEST, ask, keep, key_of, run, wait_for
from errata import correct
from errata.tools.models.pool import current_models
from errata.tools.models.request import Request
from errata.tools.net.sqlite_store import SqliteStore, StoreError
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE
from forks import Fork

pytestmark = pytest.mark.anyio
PRIVATE = "the patient's name is Greta Holm"


async def test_the_file_holds_no_prompt(openai_server, path, tmp_path):
    await ask(path, Request("verify", "rac/verify.v1", "0123", PRIVATE))
    assert len(openai_server.requests) == 1
    found = b"".join(each.read_bytes() for each in (tmp_path / "kept").iterdir())
    assert b"fine" in found
    assert PRIVATE.encode() not in found


def test_the_size_is_bounded_while_it_is_written_and_shrinks_with_its_bound(path):
    for megabytes in (4, 1):
        store = SqliteStore(path, megabytes=megabytes)
        for number in range(1001):
            keep(store, f"{megabytes} {number}", text="x" * 3000)
        assert store.get(f"{megabytes} 1000")
        assert 0 < sum(map(len, store.under("").values())) <= megabytes * 1_000_000
        store.close()
    assert Path(path).stat().st_size < 2_000_000


def database_of_something_else():
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE notes (text)")
        return database.serialize()


GARBAGE = b"SQLite is not what this file is.\0" * 400
BROKEN = b"SQLite format 3\0" + b"\xff" * 9000


@pytest.mark.parametrize("damage", [GARBAGE, BROKEN, database_of_something_else()])
@pytest.mark.parametrize("place", ["call_cache", "record"])
def test_what_is_no_cache_is_left_alone_and_noted(openai_server, tmp_path, damage, place):
    openai_server.replies = REPLIES
    (file := tmp_path / "other").write_bytes(damage)
    result = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m", **{place: str(file)})
    assert result.response == RESPONSE
    assert sum(str(file) in note for note in result.notes) == 1
    assert file.read_bytes() == damage


def test_damage_inside_a_file_is_no_crash(path, calls):
    for number in range(300):
        keep(calls, str(number), text="x" * 3000)
    calls.close()
    with Path(path).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 400_000)
    with pytest.raises(StoreError):
        calls.under("")


@pytest.mark.parametrize(
    "other",
    [
        {"text": ""},
        {"text": "I'm sorry, I can't help with that."},
        {"finish_reason": "length"},
        {"usage": {"input_tokens": "many"}},
        {"sampling": {"top_z": 1}},
    ],
)
async def test_what_another_version_or_hand_wrote_is_no_answer_unless_it_is_one(
    openai_server, path, calls, other
):
    model = current_models().open("openai:m", LIMITS)
    keep(calls, key_of(model), **other)
    for _ in range(2):
        [reply] = await ask(path, REQUEST)
        assert reply.text == "fine"
    assert len(openai_server.requests) == 1


def test_two_processes_write_to_one_new_file(path, calls):
    def write():
        store = SqliteStore(path)
        for number in range(150):
            keep(store, f"{os.getpid()} {number}")
        store.close()

    writers = [Fork(write), Fork(write)]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(calls.under("")) == 300


def test_a_killed_run_pays_nothing_twice(openai_server, path):
    openai_server.replies = REPLIES
    openai_server.plan = [REPLIES["rac/verify"], 4.0]
    process = Fork(lambda: run(path))
    wait_for(openai_server, 2)
    process.kill()
    process.wait()
    result = run(path)
    usage = result.usage
    assert (result.response, usage.cached_calls, usage.model_calls) == (RESPONSE, 1, 2)
    asked = [json.dumps(body["messages"]) for _, body in openai_server.requests]
    assert (len(asked), len(set(asked))) == (4, 3)
