"""What the check of an answer may cost, and what becomes of the answer if the check fails."""

import pytest
from langchain_core.retrievers import BaseRetriever
from langgraph.checkpoint.memory import InMemorySaver

from errata.core.errors import AccessError
from example import DRAFT, QUESTION, REPLIES, RESPONSE

REQUEST = {"messages": [{"role": "user", "content": QUESTION}]}
BLOCKED = "held back"
THREAD = {"configurable": {"thread_id": "1"}}


def test_a_conversations_cost_is_added_up_and_bounded(agent, assistant, way):
    assistant.replies = REPLIES
    bounded = agent(InMemorySaver(), model="openai:m", max_model_calls=5)
    way(bounded, REQUEST, THREAD)
    out = way(bounded, REQUEST, THREAD)
    assert out["errata_usage"]["model_calls"] == 5
    assert any("max_model_calls" in note for note in out["errata"]["notes"])
    assert len(assistant.prompts) == 5
    answers = [m.content for m in out["messages"] if m.content in (DRAFT, RESPONSE)]
    assert answers == [RESPONSE, DRAFT]
    skipped = way(bounded, REQUEST, THREAD)
    assert len(assistant.prompts) == 5
    assert skipped["messages"][-1].content == DRAFT


@pytest.mark.slow
def test_a_slow_check_leaves_the_answer(agent, assistant, way):
    assistant.replies, assistant.delay = REPLIES, 9.0
    out = way(agent(model="openai:m", max_seconds=3.0), REQUEST, {})
    assert out["messages"][-1].content == DRAFT
    assert "longer than 3 s" in out["errata"]["failed"]
    assert out["errata_usage"]["model_calls"] == 1


def test_a_failed_check_leaves_the_answer_unless_on_error_differs(agent, way):
    out = way(agent(model="openai:m"), REQUEST, {})
    assert out["messages"][-1].content == DRAFT
    assert "401" in out["errata"]["failed"]
    blocked = way(agent(model="openai:m", on_error="block", blocked=BLOCKED), REQUEST, {})
    assert blocked["messages"][-1].content == BLOCKED
    with pytest.raises(AccessError):
        way(agent(model="openai:m", on_error="raise"), REQUEST, {})


class Broken(BaseRetriever):
    """A retriever that raises an error of its own."""

    def _get_relevant_documents(self, query):
        raise KeyError(query)


def test_a_failing_retriever_leaves_the_answer(agent, way):
    out = way(agent(corpus=Broken()), REQUEST, {})
    assert out["messages"][-1].content == DRAFT
    assert out["errata"]["failed"].startswith("KeyError")
