"""Runs on a thread, whose state a file keeps: second turns, branches side by side, chats."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from errata.graphs import crag, rac
from example import BIRTH_QUESTION, CORRECTED_CLAIM, DOCUMENTS, DRAFT, QUESTION

pytestmark = pytest.mark.anyio
THREAD = {"configurable": {"thread_id": "1"}}


@pytest.fixture
async def saver(tmp_path):
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        yield saver


async def test_a_second_question_on_a_thread_forgets_the_first(saver, demo):
    """Both branches add to the run's bill; the next run starts from an empty one."""
    stored = crag.graph.builder.compile(checkpointer=saver)
    request = {"question": BIRTH_QUESTION, "documents": DOCUMENTS}
    context = {"actions": ("ambiguous",), "search": demo}
    first = await stored.ainvoke(request, THREAD, context=context)
    turn = {"messages": [HumanMessage("Who painted the Mona Lisa?")]}
    second = await stored.ainvoke(turn, THREAD)
    [snapshot, *_] = [each async for each in stored.aget_state_history(THREAD)]
    steps = {"receive", "retrieve", "evaluate", "refine", "rewrite", "search", "read", "select"}
    assert set(first["usage"]["by_role"]) == steps | {"generate"}
    assert (first["usage"]["searches"], second["usage"]["searches"]) == (1, 0)
    assert "documents" not in second
    assert {document["source"] for document in snapshot.values["documents"]} == {"given"}
    assert first["queries"]
    assert (second["action"], second["queries"]) == ("incorrect", [])
    assert snapshot.values["response"] == second["response"]
    assert snapshot.values["external"] == snapshot.values["pages"] == []


@pytest.mark.parametrize(
    "messages",
    [
        [HumanMessage(QUESTION), AIMessage(DRAFT)],
        [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": DRAFT}],
    ],
)
async def test_the_last_answer_of_a_chat_is_corrected(messages):
    out = await rac.graph.ainvoke({"messages": messages, "documents": DOCUMENTS})
    assert (out["question"], out["draft"]) == (QUESTION, DRAFT)
    assert out["messages"][-1].content == out["response"]
    assert out["response"].startswith(CORRECTED_CLAIM)
