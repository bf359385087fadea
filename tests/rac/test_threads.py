"""RAC on a thread: checkpoints, second turns, chats."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from errata.graphs.rac import graph
from example import CORRECTED_CLAIM, DOCUMENTS, DRAFT, LONG_PAGE, QUESTION, REQUEST

pytestmark = pytest.mark.anyio
THREAD = {"configurable": {"thread_id": "1"}}


async def test_a_second_turn_on_a_thread_forgets_the_first(tmp_path):
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        stored = graph.builder.compile(checkpointer=saver)
        await stored.ainvoke({**REQUEST, "documents": [{"text": LONG_PAGE}]}, THREAD)
        turn = {"messages": [HumanMessage("Where did Marie Curie live?")]}
        out = await stored.ainvoke(turn, THREAD)
    assert out["question"] == "Where did Marie Curie live?"
    assert "Paris" in out["response"]
    assert out["messages"][-1].content == out["response"]
    assert not any("1865" in claim["text"] for claim in out["claims"])


@pytest.mark.parametrize(
    "messages",
    [
        [HumanMessage(QUESTION), AIMessage(DRAFT)],
        [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": DRAFT}],
    ],
)
async def test_the_last_answer_of_a_chat_is_corrected(messages):
    out = await graph.ainvoke({"messages": messages, "documents": DOCUMENTS})
    assert (out["question"], out["draft"]) == (QUESTION, DRAFT)
    assert out["messages"][-1].content == out["response"]
    assert out["response"].startswith(CORRECTED_CLAIM)
