"""What a check of an answer may cost, and what becomes of the answer where it fails."""

import pytest
from langchain_core.retrievers import BaseRetriever
from langgraph.checkpoint.memory import InMemorySaver

from errata.errors import AccessError

DRAFT = "Marie Curie was born in 1865. She was Polish."
MENDED = "Marie Curie was born in 1867. She was Polish."
ASK = {"messages": [{"role": "user", "content": "Who was Marie Curie?"}]}
BLOCKED = "held back"
THREAD = {"configurable": {"thread_id": "1"}}


def test_what_a_conversation_spends_is_added_up_and_bounded(agent, assistant, way):
    assistant.replies = assistant.JUDGING
    bounded = agent(InMemorySaver(), model="openai:m", max_model_calls=5)
    way(bounded, ASK, THREAD)
    out = way(bounded, ASK, THREAD)
    assert out["errata_usage"]["model_calls"] == 5
    assert any("max_model_calls" in note for note in out["errata"]["notes"])
    assert len(assistant.prompts) == 5
    assert [m.content for m in out["messages"] if m.content in (DRAFT, MENDED)] == [MENDED, DRAFT]
    skipped = way(bounded, ASK, THREAD)
    assert len(assistant.prompts) == 5
    assert skipped["messages"][-1].content == DRAFT


def test_a_slow_check_leaves_the_answer(agent, assistant, way):
    assistant.replies, assistant.delay = assistant.JUDGING, 5.0
    out = way(agent(model="openai:m", max_seconds=1.0), ASK, {})
    assert out["messages"][-1].content == DRAFT
    assert "longer than 1 s" in out["errata"]["failed"]
    assert out["errata_usage"]["model_calls"] == 1


def test_a_failed_check_leaves_the_answer_unless_told_otherwise(agent, way):
    out = way(agent(model="openai:m"), ASK, {})
    assert out["messages"][-1].content == DRAFT
    assert "401" in out["errata"]["failed"]
    blocked = way(agent(model="openai:m", on_error="block", blocked=BLOCKED), ASK, {})
    assert blocked["messages"][-1].content == BLOCKED
    with pytest.raises(AccessError):
        way(agent(model="openai:m", on_error="raise"), ASK, {})


class Broken(BaseRetriever):
    """Fail as code of others may."""

    def _get_relevant_documents(self, query):
        raise KeyError(query)


def test_a_failure_of_others_code_leaves_the_answer(agent, way):
    out = way(agent(corpus=Broken()), ASK, {})
    assert out["messages"][-1].content == DRAFT
    assert out["errata"]["failed"].startswith("KeyError")
