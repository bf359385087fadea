"""A graph with a checkpointer of LangGraph's: killed in a run, resumed elsewhere, asked again."""

import asyncio
import os
import time
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from errata.graphs import crag
from errata.graphs.rac import graph
from example import BIRTH_QUESTION, DOCUMENTS, REPLIES, REQUEST, RESPONSE
from forks import Fork
from openai_server import prompt_name


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    """Each kind of store: Postgres where .ci/run has started one."""
    if request.param == "sqlite":
        return str(tmp_path / "runs.sqlite")
    if not (dsn := os.environ.get("POSTGRES_DSN")):
        pytest.skip("needs the Postgres that POSTGRES_DSN names, which is not here")
    return dsn


@asynccontextmanager
async def opened(store):
    if not store.startswith("postgres"):
        async with AsyncSqliteSaver.from_conn_string(store) as saver:
            yield saver
        return
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with AsyncPostgresSaver.from_conn_string(store) as saver:
        await saver.setup()
        yield saver


async def correct(store, name):
    """A run of some name as docs/durable.md shows it: begun, or resumed where it was cut."""
    async with opened(store) as saver:
        rac = graph.builder.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": name}}
        begun = (await rac.aget_state(config)).created_at
        given = {"context": {"model": "openai:m"}, "durability": "sync"}
        output = await rac.ainvoke(None if begun else REQUEST, config, **given)
    assert output["response"] == RESPONSE


def test_a_killed_run_goes_on_in_another_process_and_pays_nothing_twice(openai_server, store):
    """The step that was under way asks again; those before it do not."""
    name, server = str(uuid4()), openai_server
    server.replies, server.plan = REPLIES, [0.0, 60.0]
    process = Fork(lambda: asyncio.run(correct(store, name)))
    while len(server.requests) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    server.requests.clear()
    server.delay = 0.0
    assert Fork(lambda: asyncio.run(correct(store, name))).wait() == 0
    asked = [prompt_name(headers) for headers, _ in server.requests]
    assert asked == ["rac/correct", "rac/revise.sentence"]


@pytest.mark.anyio
async def test_a_second_question_on_a_thread_forgets_the_first(demo):
    """Both branches add to the run's bill; the next run starts from an empty one."""
    stored = crag.graph.builder.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    request = {"question": BIRTH_QUESTION, "documents": DOCUMENTS}
    context = {"actions": ("ambiguous",), "search": demo}
    first = await stored.ainvoke(request, thread, context=context)
    turn = {"messages": [HumanMessage("Who painted the Mona Lisa?")]}
    second = await stored.ainvoke(turn, thread)
    kept = (await stored.aget_state(thread)).values
    steps = "receive retrieve evaluate refine rewrite search read select generate"
    assert set(first["usage"]["by_role"]) == set(steps.split())
    assert (first["usage"]["searches"], second["usage"]["searches"]) == (1, 0)
    assert first["queries"]
    assert (second["action"], second["queries"]) == ("incorrect", [])
    assert {document["source"] for document in kept["documents"]} == {"given"}
    assert kept["external"] == kept["pages"] == []
