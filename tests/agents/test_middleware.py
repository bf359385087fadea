"""Agents whose final answer is checked, with a model behind a loopback server."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from errata import FactCorrection
from errata.core.errors import SettingError
from example import DRAFT, LABELS, PAGE, QUESTION, REPLIES, RESPONSE

REQUEST = {"messages": [{"role": "user", "content": QUESTION}]}
BLOCKED = "held back"
THREAD = {"configurable": {"thread_id": "1"}}
PROMPTS = ["rac/correct", "rac/extract", "rac/revise.sentence", "rac/verify"]


@pytest.mark.parametrize(
    ("mode", "content"), [("correct", RESPONSE), ("annotate", DRAFT), ("block", BLOCKED)]
)
def test_an_answer_is_checked_in_every_mode(agent, mode, content, way):
    out = way(agent(mode=mode, blocked=BLOCKED), REQUEST, {})
    answer = out["messages"][-1]
    assert answer.content == content
    assert len(out["messages"]) == 4
    about = answer.additional_kwargs["errata"]
    assert (about["mode"], about["label"], about["draft"]) == (mode, "refuted", DRAFT)
    assert [verdict["label"] for verdict in about["verdicts"]] == LABELS
    assert [edit["after"] for edit in about["edits"]] == ([] if mode == "block" else ["1867"])
    assert out["errata"]["message"] == answer.id
    assert out["errata"]["documents"][0]["title"] == "look_up"


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ("accept", RESPONSE),
        ("reject", DRAFT),
        ({"e1": "reject"}, DRAFT),
        ({"e1": {"replace": "1868"}}, DRAFT.replace("1865", "1868")),
    ],
)
def test_a_review_waits_for_a_decision_on_each_edit(agent, way, answer, content):
    reviewing = agent(InMemorySaver(), mode="review")
    stopped = way(reviewing, REQUEST, THREAD)
    [waiting] = stopped["__interrupt__"]
    assert [edit["id"] for edit in waiting.value["edits"]] == ["e1"]
    assert waiting.value["response"] == RESPONSE
    out = way(reviewing, Command(resume=answer), THREAD)
    assert out["messages"][-1].content == content
    assert out["errata"]["changed"] == (content != DRAFT)


def test_the_agent_asks_again_after_an_unclear_decision(agent):
    with SqliteSaver.from_conn_string(":memory:") as saver:
        reviewing = agent(saver, mode="review")
        reviewing.invoke(REQUEST, THREAD)
        for answer, fault in [
            ("yes", "cannot read 'yes'"),
            ({"e9": "accept"}, "without a decision: ['e1']"),
            ({"e1": "accept", "e9": "accept"}, "not under review: ['e9']"),
            ({"e1": {"text": "1868"}}, "for e1"),
        ]:
            out = reviewing.invoke(Command(resume=answer), THREAD)
            assert fault in out["__interrupt__"][0].value["fault"]
        out = reviewing.invoke(Command(resume="accept"), THREAD)
        assert out["messages"][-1].content == RESPONSE


def test_a_resumed_review_repeats_no_model_call(agent, assistant, way):
    assistant.replies = REPLIES
    reviewing = agent(InMemorySaver(), mode="review", model="openai:m")
    way(reviewing, REQUEST, THREAD)
    assert sorted(assistant.prompts) == PROMPTS
    out = way(reviewing, Command(resume="accept"), THREAD)
    assert out["messages"][-1].content == RESPONSE
    assert sorted(assistant.prompts) == PROMPTS
    assert out["errata_usage"]["model_calls"] == 4


def test_streams_end_with_the_correction(agent):
    events = list(agent().stream(REQUEST, stream_mode=["messages", "custom"]))
    tokens = [value[0] for kind, value in events if kind == "messages"]
    assert "".join(token.content for token in tokens if token.type.startswith("AI")) == DRAFT
    [correction] = [value["errata"] for kind, value in events[-2:] if kind == "custom"]
    assert correction["content"] == RESPONSE
    assert correction["edits"][0]["before"] == "1865"


def test_small_talk_is_not_checked(agent, way):
    out = way(agent(), {"messages": [HumanMessage("Hello!")]}, {})
    assert out["messages"][-1].content == "Hello! How can I help you today?"
    assert out["errata"] == {"skipped": "there is no statement to check"}
    assert "errata" not in out["messages"][-1].additional_kwargs


def test_without_evidence_nothing_is_checked(agent):
    out = agent(tools=[]).invoke(REQUEST)
    assert out["messages"][-1].content == DRAFT
    assert "nothing to judge" in out["errata"]["skipped"]


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_documents_serve_as_evidence(agent, method):
    out = agent(tools=[], method=method, documents=[PAGE]).invoke(REQUEST)
    assert out["messages"][-1].content == RESPONSE


def test_a_corpus_serves_as_evidence(agent, tmp_path):
    (tmp_path / "curie.txt").write_text(PAGE)
    assert agent(tools=[], corpus=tmp_path).invoke(REQUEST)["messages"][-1].content == RESPONSE


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"mode": "rewrite"}, "no mode is called 'rewrite'"),
        ({"method": "crag"}, "crag can answer"),
        ({"speed": 1}, "no setting 'speed'"),
        ({"mode": "review", "review": "none"}, "does not go with"),
        ({"review": "all"}, "does not go with"),
    ],
)
def test_wrong_settings_are_refused_at_once(options, fault):
    with pytest.raises(SettingError, match=fault):
        FactCorrection(**options)
