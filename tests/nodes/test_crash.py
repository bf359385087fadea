"""A process that is killed: what was stored is not lost, what was paid for is not paid again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from uuid import uuid4

import pytest

from openai_server import prompt_name

pytestmark = pytest.mark.slow
DRAFT = "Marie Curie was born in 1865."
PAGE = "Marie Curie (7 November 1867 – 4 July 1934) was a Polish and French physicist."
REQUEST = {"question": "Who was Marie Curie?", "draft": DRAFT, "documents": [{"text": PAGE}]}
CORRECTED = "Marie Curie was born in 1867."
REPLIES = {
    "rac/extract": DRAFT,
    "rac/verify": "1: False",
    "rac/correct": "In 1867 Marie Curie was born.",
    "rac/revise.sentence": CORRECTED,
}
HANGING = "rac/correct"
RUN = """
import asyncio, json, sys
from importlib import import_module
from errata.graphs.rac import graph
module, saver, dsn, finished, killed, request = sys.argv[1:]
thread = lambda name: {"configurable": {"thread_id": name}}

async def main():
    async with getattr(import_module(module), saver).from_conn_string(dsn) as checkpointer:
        await checkpointer.setup()
        rac = graph.builder.compile(checkpointer=checkpointer)
        run = lambda value, name: rac.ainvoke(
            value, thread(name), context={"model": "openai:m"}, durability="sync"
        )
        if request != "resume":
            await run(json.loads(request), finished)
        out = await run(None if request == "resume" else json.loads(request), killed)
        kept = await rac.aget_state(thread(finished))
        print(json.dumps([out["response"], kept.values["response"]]))

asyncio.run(main())
"""


@pytest.fixture
def store(tmp_path):
    """A checkpointer and its address: Postgres where .ci/run has started one."""
    if dsn := os.environ.get("POSTGRES_DSN"):
        return "langgraph.checkpoint.postgres.aio", "AsyncPostgresSaver", dsn
    file = str(tmp_path / "runs.sqlite")
    return "langgraph.checkpoint.sqlite.aio", "AsyncSqliteSaver", file


def asked(server):
    """How often the model was asked with each prompt."""
    return Counter(prompt_name(headers) for headers, _ in server.requests)


def test_after_a_kill_finished_steps_and_runs_are_kept(store, run_python, openai_server):
    openai_server.replies = REPLIES
    before, hanging = [0.0] * len(REPLIES), [0.0, 0.0, 60.0]  # the second run's third step hangs
    openai_server.plan = before + hanging
    arguments = (*store, str(uuid4()), str(uuid4()))
    process = subprocess.Popen([sys.executable, "-c", RUN, *arguments, json.dumps(REQUEST)])
    deadline = time.monotonic() + 30
    while openai_server.plan and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    assert process.wait(10) == -signal.SIGKILL
    assert asked(openai_server)[HANGING] == 2
    openai_server.requests.clear()
    assert json.loads(run_python(RUN, *arguments, "resume")) == [CORRECTED, CORRECTED]
    assert asked(openai_server) == {HANGING: 1, "rac/revise.sentence": 1}
