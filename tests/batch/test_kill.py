"""A batch that is killed or stopped at any instant: every row is in the output exactly once."""

import json
import signal
import subprocess
import sys
import time

import pytest

from example import DRAFT, PAGE, REPLIES, RESPONSE

pytestmark = pytest.mark.slow
ROWS = 40
KILLED = """
import os, random, signal, sys, time
from errata.batch import run_batch
from errata.batch.local_engine import LocalEngine

def run():
    return run_batch("in.jsonl", "out.jsonl", model="openai:m", engine=LocalEngine(at_once=4))

def size():
    return os.path.getsize("out.jsonl") if os.path.exists("out.jsonl") else 0

draw = random.Random(19)
import errata.graphs.rac  # once for all processes
for _ in range(3):
    before, child = size(), os.fork()
    if not child:
        run()
        os._exit(0)
    while size() == before:
        time.sleep(0.001)
    time.sleep(draw.random() / 20)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, "it was done before it was killed"
done = open("out.jsonl").read().count("\\n")
totals = run()
print(totals.before - done, totals.done + totals.before, totals.failed, totals.problems)
"""
COMMAND = [sys.executable, "-c", "from errata.cli import main; main()", "batch", "in.jsonl"]


@pytest.fixture
def folder(tmp_path, openai_server, monkeypatch):
    """A folder with an input of many rows, each of which takes a while and calls of its own."""
    openai_server.replies, openai_server.delay = REPLIES, 0.02
    row = {"draft": DRAFT, "documents": [PAGE]}
    rows = [{"id": n, "question": f"Who was Marie Curie, asked {n}?", **row} for n in range(ROWS)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def process(folder):
    """The batch in a process of its own, once it has written a row."""
    command = [*COMMAND, "--out", "out.jsonl", "--model", "openai:m", "--at-once", "4"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    while not (folder / "out.jsonl").exists() or not (folder / "out.jsonl").stat().st_size:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)
    yield process
    process.kill()
    process.wait()
    process.stderr.close()


def results(folder):
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_every_row_is_there_once_after_kills_at_random_instants(folder, run_python):
    assert run_python(KILLED, seconds=300) == f"0 {ROWS} 0 0\n"
    rows = results(folder)
    assert sorted(int(row["id"]) for row in rows) == list(range(ROWS))
    assert {row["response"] for row in rows} == {RESPONSE}


def test_a_batch_that_is_told_to_end_finishes_what_is_under_way(folder, process):
    process.send_signal(signal.SIGTERM)
    said = process.communicate()[1]
    assert process.returncode == 143
    assert "it was stopped by SIGTERM; the same command goes on from here" in said
    ids = [row["id"] for row in results(folder)]
    assert 4 <= len(ids) == len(set(ids)) < ROWS


def test_a_second_interrupt_drops_what_is_under_way(folder, process, openai_server):
    openai_server.delay = 10.0
    asked = len(openai_server.requests)
    while len(openai_server.requests) == asked:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    assert "once more drops them" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    ids = [row["id"] for row in results(folder)]
    assert len(ids) == len(set(ids)) < ROWS
