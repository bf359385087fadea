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


def test_the_size_is_bounded_while_it_is_written(path):
    store = SqliteStore(path, megabytes=1)
    for number in range(1001):
        keep(store, str(number), text="x" * 3000)
    assert store.get("1000")
    assert 0 < sum(map(len, store.under("").values())) <= 1_000_000
    store.close()
    assert Path(path).stat().st_size < 2_000_000


def test_a_smaller_bound_makes_the_file_smaller(path):
    for megabytes in (4, 1):
        store = SqliteStore(path, megabytes=megabytes)
        for number in range(1001):
            keep(store, f"{megabytes} {number}", text="x" * 3000)
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
        {"text": 1},
        {"text": ""},
        {"text": "I'm sorry, I can't help with that."},
        {"finish_reason": "length"},
        {"usage": [1]},
        {"usage": {"input_tokens": "many"}},
        {"sampling": {"top_z": 1}},
        {"sampling": {"temperature": "hot"}},
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


def test_a_place_that_cannot_be_written_is_noted(openai_server, tmp_path):
    openai_server.replies = REPLIES
    (tmp_path / "file").write_text("")
    result = run(str(tmp_path / "file" / "calls.sqlite"))
    assert result.response == RESPONSE
    assert [note for note in result.notes if "the call cache cannot be used" in note]


def start_writing(path, name, count):
    """A process that keeps so many replies, and a file that tells the number of each kept one."""
    reader, writer = os.pipe()

    def work():
        store = SqliteStore(path)
        for number in range(count):
            keep(store, f"{name}{number}")
            os.write(writer, f"{number}\n".encode())
        store.close()

    process = Fork(work)
    os.close(writer)
    return process, os.fdopen(reader)


def test_two_processes_write_to_one_new_file(path, calls):
    for process, told in [start_writing(path, name, 150) for name in "ab"]:
        with told:
            assert len(told.readlines()) == 150
        assert process.wait() == 0
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
