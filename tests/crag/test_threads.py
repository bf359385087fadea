"""CRAG on a thread: checkpoints, branches side by side, second turns."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from errata.graphs.crag import graph

pytestmark = pytest.mark.anyio

QUESTION = "When was Marie Curie born?"
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."


async def test_a_second_turn_on_a_thread_forgets_the_first(tmp_path, root):
    """Both branches bill what they spend; the next run begins with an empty bill."""
    web = f"corpus:{root / 'demo' / 'corpus'}"
    config = {"configurable": {"thread_id": "1"}}
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        kept = graph.builder.compile(checkpointer=saver)
        request = {"question": QUESTION, "documents": [{"text": PAGE}]}
        context = {"actions": ("ambiguous",), "search": web}
        first = await kept.ainvoke(request, config, context=context)
        turn = {"messages": [HumanMessage("Who painted the Mona Lisa?")]}
        second = await kept.ainvoke(turn, config)
        [snapshot, *_] = [each async for each in kept.aget_state_history(config)]
    steps = {"receive", "retrieve", "evaluate", "refine", "rewrite", "search", "read", "select"}
    assert set(first["usage"]["by_role"]) == steps | {"generate"}
    assert (first["usage"]["searches"], second["usage"]["searches"]) == (1, 0)
    assert {document["source"] for document in second["documents"]} == {"given"}
    assert (second["action"], second["queries"]) == ("incorrect", [second["question"]])
    assert snapshot.values["response"] == second["response"]
    assert snapshot.values["external"] == snapshot.values["pages"] == []
