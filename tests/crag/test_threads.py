"""CRAG on a thread: checkpoints, branches side by side, second turns."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from errata.graphs.crag import graph
from example import BIRTH_QUESTION, DOCUMENTS

pytestmark = pytest.mark.anyio


async def test_a_second_turn_on_a_thread_forgets_the_first(tmp_path, demo):
    """Both branches add to the run's bill; the next run starts from an empty one."""
    config = {"configurable": {"thread_id": "1"}}
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        stored = graph.builder.compile(checkpointer=saver)
        request = {"question": BIRTH_QUESTION, "documents": DOCUMENTS}
        context = {"actions": ("ambiguous",), "search": demo}
        first = await stored.ainvoke(request, config, context=context)
        turn = {"messages": [HumanMessage("Who painted the Mona Lisa?")]}
        second = await stored.ainvoke(turn, config)
        [snapshot, *_] = [each async for each in stored.aget_state_history(config)]
    steps = {"receive", "retrieve", "evaluate", "refine", "rewrite", "search", "read", "select"}
    assert set(first["usage"]["by_role"]) == steps | {"generate"}
    assert (first["usage"]["searches"], second["usage"]["searches"]) == (1, 0)
    assert {document["source"] for document in second["documents"]} == {"given"}
    assert first["queries"]
    assert (second["action"], second["queries"]) == ("incorrect", [])
    assert snapshot.values["response"] == second["response"]
    assert snapshot.values["external"] == snapshot.values["pages"] == []
