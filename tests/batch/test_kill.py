"""A batch that is killed or stopped at any instant: every row is in the output exactly once."""

import json
import os
import random
import signal
import time

import pytest

from errata import correct
from errata.batch import run_batch
from errata.batch.run import LocalEngine
from example import DRAFT, PAGE, REPLIES, RESPONSE
from forks import Fork, command

pytestmark = pytest.mark.slow
ROWS = 40
BATCH = ("batch", "in.jsonl", "--out", "out.jsonl", "--model", "openai:m", "--at-once", "4")


@pytest.fixture
def folder(tmp_path, openai_server, monkeypatch):
    """A folder with an input of many rows, each of which takes a while and calls of its own."""
    openai_server.replies = REPLIES
    row = {"draft": DRAFT, "documents": [PAGE]}
    correct(**row, model="openai:m")  # what is loaded before a fork, the forked process has
    openai_server.delay = 0.02
    rows = [{"id": n, "question": f"Who was Marie Curie, asked {n}?", **row} for n in range(ROWS)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(folder, **streams):
    """The batch in a process of its own, once it has written one more row."""
    file = folder / "out.jsonl"
    before = file.stat().st_size if file.exists() else 0
    process = Fork(command(*BATCH, **streams))
    while not file.exists() or file.stat().st_size == before:
        assert process.poll() is None
        time.sleep(0.001)
    return process


def results(folder):
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_every_row_is_there_once_after_kills_at_random_instants(folder):
    draw = random.Random(19)
    for _ in range(3):
        process = start(folder)
        time.sleep(draw.random() / 20)
        process.kill()
        assert process.wait() == -signal.SIGKILL, "it was done before it was killed"
    done = (folder / "out.jsonl").read_text().count("\n")
    engine = LocalEngine(at_once=4)
    totals = run_batch("in.jsonl", "out.jsonl", model="openai:m", engine=engine)
    assert (totals.before, totals.done) == (done, ROWS - done)
    assert (totals.failed, totals.problems) == (0, 0)
    rows = results(folder)
    assert sorted(int(row["id"]) for row in rows) == list(range(ROWS))
    assert {row["response"] for row in rows} == {RESPONSE}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, -15), (signal.SIGINT, 130)])
def test_a_batch_that_is_told_to_end_drops_what_is_under_way(folder, number, code):
    reader, writer = os.pipe()
    process = start(folder, stderr=writer)
    os.close(writer)
    process.send_signal(number)
    with os.fdopen(reader) as told:
        said = told.read()
    assert process.wait() == code
    assert ("it was interrupted; the same command goes on from here" in said) == (code == 130)
    ids = [row["id"] for row in results(folder)]
    assert 1 <= len(ids) == len(set(ids)) < ROWS
