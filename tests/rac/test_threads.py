"""RAC on a thread: checkpoints, second turns, the chat face."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from errata.graphs.rac import graph

pytestmark = pytest.mark.anyio

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a physicist. She kept bees."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist. She lived in Paris."


async def test_a_run_survives_a_checkpoint(tmp_path):
    """Everything in state is plain: sqlite gives it back as it was, without a warning."""
    from errata.graphs.rac import graph as compiled

    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        kept = compiled.builder.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": "1"}}
        request = {"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]}
        out = await kept.ainvoke(request, config, context={"unsupported": "drop"})
        history = [snapshot async for snapshot in kept.aget_state_history(config)]
    assert history[0].values["response"] == out["response"]
    assert {"receive", "report"} <= set(out["usage"]["by_role"])
    assert history[0].values["verdicts"] == out["verdicts"]
    assert all(isinstance(verdict, dict) for verdict in out["verdicts"])


async def test_a_second_turn_on_a_thread_forgets_the_first(tmp_path):
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
        kept = graph.builder.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": "1"}}
        documents = [{"text": PAGE}]
        first = {"question": QUESTION, "draft": DRAFT, "documents": documents}
        await kept.ainvoke(first, config)
        turn = {"messages": [HumanMessage("Where did Marie Curie live?")]}
        out = await kept.ainvoke(turn, config)
    assert out["question"] == "Where did Marie Curie live?"
    assert "Paris" in out["response"]
    assert out["messages"][-1].content == out["response"]
    assert not any("1865" in claim["text"] for claim in out["claims"])


@pytest.mark.parametrize(
    ("messages", "draft"),
    [
        ([HumanMessage(QUESTION), AIMessage(DRAFT)], DRAFT),
        ([{"role": "user", "content": QUESTION}, {"role": "assistant", "content": DRAFT}], DRAFT),
    ],
)
async def test_the_chat_face_corrects_the_last_answer(messages, draft):
    out = await graph.ainvoke({"messages": messages, "documents": [{"text": PAGE}]})
    assert (out["question"], out["draft"]) == (QUESTION, draft)
    assert out["messages"][-1].content == out["response"]
    assert out["response"].startswith("Marie Curie was born in 1867.")
