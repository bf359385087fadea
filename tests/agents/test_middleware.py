"""Agents whose final answer is checked, with a model behind a loopback server."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from errata import FactCorrection
from errata.errors import SettingError

PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
DRAFT = "Marie Curie was born in 1865. She was Polish."
MENDED = "Marie Curie was born in 1867. She was Polish."
ASK = {"messages": [{"role": "user", "content": "Who was Marie Curie?"}]}
BLOCKED = "held back"
THREAD = {"configurable": {"thread_id": "1"}}


KEPT = {
    "correct": MENDED,
    "annotate": DRAFT,
    "block": BLOCKED,
}


@pytest.mark.parametrize(("mode", "content"), KEPT.items())
def test_an_answer_is_checked_in_every_mode(agent, mode, content, way):
    out = way(agent(mode=mode, blocked=BLOCKED), ASK, {})
    answer = out["messages"][-1]
    assert answer.content == content
    assert len(out["messages"]) == 4
    about = answer.additional_kwargs["errata"]
    assert (about["mode"], about["label"], about["draft"]) == (mode, "refuted", DRAFT)
    assert [verdict["label"] for verdict in about["verdicts"]] == ["refuted", "supported"]
    assert [edit["after"] for edit in about["edits"]] == ([] if mode == "block" else ["1867"])
    assert out["errata"]["message"] == answer.id
    assert out["errata"]["documents"][0]["title"] == "look_up"


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ("accept", MENDED),
        ("reject", DRAFT),
        ({"e1": "reject"}, DRAFT),
        ({"e1": {"replace": "1868"}}, DRAFT.replace("1865", "1868")),
    ],
)
def test_review_waits_for_a_decision_on_each_edit(agent, way, answer, content):
    reviewing = agent(InMemorySaver(), mode="review")
    stopped = way(reviewing, ASK, THREAD)
    [waiting] = stopped["__interrupt__"]
    assert [edit["id"] for edit in waiting.value["edits"]] == ["e1"]
    assert waiting.value["response"] == MENDED
    out = way(reviewing, Command(resume=answer), THREAD)
    assert out["messages"][-1].content == content
    assert out["errata"]["changed"] == (content != DRAFT)


def test_an_unclear_decision_is_asked_for_again(agent):
    with SqliteSaver.from_conn_string(":memory:") as saver:
        reviewing = agent(saver, mode="review")
        reviewing.invoke(ASK, THREAD)
        for answer, fault in [
            ("yes", "cannot read 'yes'"),
            ({"e9": "accept"}, "without a decision: ['e1']"),
            ({"e1": "accept", "e9": "accept"}, "not under review: ['e9']"),
            ({"e1": {"text": "1868"}}, "for e1"),
        ]:
            out = reviewing.invoke(Command(resume=answer), THREAD)
            assert fault in out["__interrupt__"][0].value["fault"]
        out = reviewing.invoke(Command(resume="accept"), THREAD)
        assert out["messages"][-1].content == MENDED


def test_no_call_is_paid_twice_when_a_review_resumes(agent, assistant, way):
    assistant.replies = assistant.JUDGING
    reviewing = agent(InMemorySaver(), mode="review", model="openai:m")
    way(reviewing, ASK, THREAD)
    paid = list(assistant.prompts)
    out = way(reviewing, Command(resume="accept"), THREAD)
    assert out["messages"][-1].content == MENDED
    assert assistant.prompts == paid
    assert sorted(paid) == sorted(assistant.JUDGING)
    assert out["errata_usage"]["model_calls"] == 4


def test_streams_end_with_the_correction(agent):
    modes = ["messages", "custom"]
    events = list(agent().stream(ASK, stream_mode=modes))
    tokens = "".join(
        part.content for kind, (part, *_) in _only("messages", events) if part.type.startswith("AI")
    )
    assert tokens == DRAFT
    kind, last = events[-1] if events[-1][0] == "custom" else events[-2]
    assert (kind, last["errata"]["content"]) == ("custom", MENDED)
    assert last["errata"]["edits"][0]["before"] == "1865"


def _only(kind, events):
    return [event for event in events if event[0] == kind]


def test_small_talk_is_left_alone(agent, way):
    out = way(agent(), {"messages": [HumanMessage("Hello!")]}, {})
    assert out["messages"][-1].content == "Hello! How can I help you today?"
    assert out["errata"] == {"skipped": "there is no statement to check"}
    assert "errata" not in out["messages"][-1].additional_kwargs


def test_without_evidence_nothing_is_judged(agent):
    out = agent(tools=[]).invoke(ASK)
    assert out["messages"][-1].content == DRAFT
    assert "nothing to judge" in out["errata"]["skipped"]


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_documents_serve_as_evidence(agent, method):
    out = agent(tools=[], method=method, documents=[PAGE]).invoke(ASK)
    assert out["messages"][-1].content == MENDED


def test_a_corpus_serves_as_evidence(agent, tmp_path):
    (tmp_path / "curie.txt").write_text(PAGE)
    assert agent(tools=[], corpus=tmp_path).invoke(ASK)["messages"][-1].content == MENDED


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"mode": "rewrite"}, "no mode is called 'rewrite'"),
        ({"method": "crag"}, "crag corrects no draft"),
        ({"speed": 1}, "no setting 'speed'"),
        ({"mode": "review", "review": "none"}, "does not go with"),
        ({"review": "all"}, "does not go with"),
    ],
)
def test_wrong_settings_are_refused_at_once(options, fault):
    with pytest.raises(SettingError, match=fault):
        FactCorrection(**options)
