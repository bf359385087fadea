"""The answer of an agent, checked: what is read, what is rewritten, what it may cost."""

import asyncio
import json

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langgraph.checkpoint.memory import InMemorySaver

from errata import FactCorrection
from errata.core.errors import SettingError
from errata.core.records import Document as Page
from errata.langchain.messages import evidence_in, question_and_answer
from example import DRAFT, LABELS, PAGE, QUESTION, REPLIES, RESPONSE

REQUEST = {"messages": [{"role": "user", "content": QUESTION}]}
BLOCKED = "held back"
THREAD = {"configurable": {"thread_id": "1"}}


@pytest.mark.parametrize("mode", ["correct", "annotate", "block"])
def test_an_answer_is_checked_in_every_mode(agent, mode, way):
    content = {"correct": RESPONSE, "annotate": DRAFT, "block": BLOCKED}[mode]
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


def test_streams_end_with_the_correction(agent):
    events = list(agent().stream(REQUEST, stream_mode=["messages", "custom"]))
    tokens = [value[0] for kind, value in events if kind == "messages"]
    assert "".join(token.content for token in tokens if token.type.startswith("AI")) == DRAFT
    [correction] = [value["errata"] for kind, value in events[-2:] if kind == "custom"]
    assert correction["content"] == RESPONSE
    assert correction["edits"][0]["before"] == "1865"


def test_an_answer_in_doubt_is_held_until_it_is_corrected(agent, way):
    out = way(agent(method="errata", hold="doubtful"), REQUEST, {})
    assert (out["messages"][-1].content, len(out["messages"])) == (RESPONSE, 4)
    assert (out["errata"]["label"], out["errata"]["draft"]) == ("refuted", DRAFT)


@pytest.mark.parametrize(("hold", "shown"), [("doubtful", RESPONSE), ("none", DRAFT)])
def test_no_token_of_a_refuted_sentence_is_streamed_if_held(agent, hold, shown):
    async def tokens():
        stream = agent(method="errata", hold=hold).astream(REQUEST, stream_mode="messages")
        return [m.text async for m, _ in stream if type(m).__name__ == "AIMessageChunk"]

    assert "".join(asyncio.run(tokens())) == shown


def test_small_talk_is_not_checked(agent, way):
    out = way(agent(), {"messages": [HumanMessage("Hello!")]}, {})
    assert out["messages"][-1].content == "Hello! How can I help you today?"
    assert out["errata"] == {"skipped": "there is no statement to check", "checked": False}
    assert "errata" not in out["messages"][-1].additional_kwargs


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_documents_and_a_corpus_serve_as_evidence(agent, tmp_path, method):
    (tmp_path / "curie.txt").write_text(PAGE)
    for given in ({"documents": [PAGE]}, {"corpus": tmp_path}):
        out = agent(looks_up=False, method=method, **given).invoke(REQUEST)
        assert out["messages"][-1].content == RESPONSE


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"mode": "rewrite"}, "mode must be 'correct', 'annotate' or 'block'; got mode='rewrite'"),
        ({"method": "crag"}, "crag can answer"),
        ({"speed": 1}, "no setting 'speed'"),
        ({"review": "all"}, "review stops the run"),
        ({"evidence": "tools"}, "evidence must be 'turn', 'conversation' or 'none'"),
        ({"skip": "yes"}, "skip must be callable"),
        ({"max_seconds": "10"}, "max_seconds must be a valid number"),
        ({"max_seconds": -1}, "max_seconds must be greater than 0"),
        ({"max_model_calls": -1}, "max_model_calls must be greater than or equal to 0"),
        ({"on_error": "ignore"}, "on_error must be 'pass', 'block' or 'raise'"),
        ({"block_on": "refuted"}, "block_on must be a valid frozenset"),
        ({"block_on": ["false"]}, "block_on.0 must be 'supported'"),
        ({"mode": "annotate", "cite": "links"}, "goes with mode='correct' alone"),
        ({"hold": "doubtful"}, "hold"),
        ({"method": "errata", "mode": "block", "hold": "doubtful"}, "goes with mode='correct'"),
    ],
)
def test_wrong_settings_are_refused_at_once(options, fault):
    with pytest.raises(SettingError, match=fault):
        FactCorrection(**options)


def test_the_answer_is_cited(agent, way):
    out = way(agent(cite="numbers"), REQUEST, {})
    message = out["messages"][-1]
    marked = "Marie Curie was born in 1867 [1]. She was a physicist [1]. She kept bees.\n\n"
    assert message.text.startswith(marked)
    [block] = message.content_blocks
    assert [each["cited_text"] for each in block["annotations"]] == [f"Curie: {PAGE}"] * 2
    assert out["errata"]["response"] == message.text


SEARCHED = {"query": "Curie", "results": [{"url": "https://x.org", "title": "A", "content": PAGE}]}
FOUND = [Page(text=PAGE, title="A", url="https://x.org")]


@pytest.mark.parametrize(
    ("text", "artifact", "expected"),
    [
        (json.dumps(SEARCHED), None, FOUND),
        (json.dumps(SEARCHED["results"]), None, FOUND),
        ("a summary", SEARCHED, FOUND),
        (json.dumps({"link": "https://x.org", "title": "A", "snippet": PAGE}), None, FOUND),
        ("[1] no JSON", None, None),
        ('{"year": 1867, "text": "born"}', {"rows": [1867]}, None),
        ("[" * 5000 + "]" * 5000, None, None),
        ('{"text": " ", "url": "https://x.org"}', None, None),
        ('{"a":' * 400 + "1" + "}" * 400, None, None),
    ],
)
def test_the_results_of_a_search_are_documents_of_their_own(text, artifact, expected):
    """Any other text is one as it stands."""
    message = ToolMessage(text, tool_call_id="1", name="search", artifact=artifact)
    found = evidence_in([message, message], "conversation")
    assert found == (expected or [Page(text=text, title="search")])


def test_the_results_of_tools_are_evidence():
    about = {"title": "Marie Curie", "source": "https://x.org"}
    artifact = [Document(PAGE, id="p1", metadata=about)]
    messages = [
        HumanMessage("Who?"),
        ToolMessage("old", tool_call_id="1", name="first"),
        AIMessage("Somebody."),
        HumanMessage("Who was Curie?"),
        ToolMessage("a summary", tool_call_id="2", name="search", artifact=artifact),
        ToolMessage("boom", tool_call_id="3", name="broken", status="error"),
        AIMessage("A physicist."),
    ]
    assert question_and_answer(messages) == ("Who was Curie?", "A physicist.")
    [old, page] = evidence_in(messages, "conversation")
    assert (old.text, old.title) == ("old", "first")
    assert (page.text, page.title, page.url) == (PAGE, "Marie Curie", "https://x.org")
    assert evidence_in(messages, "turn") == [page]
    assert evidence_in(messages, "none") == []
    assert question_and_answer(messages[:-1]) == ("", "")


def test_a_conversations_cost_is_added_up_and_bounded(agent, openai_server, way):
    openai_server.replies = REPLIES
    bounded = agent(InMemorySaver(), model="openai:m", max_model_calls=4)
    way(bounded, REQUEST, THREAD)
    out = way(bounded, REQUEST, THREAD)
    assert out["errata_usage"]["model_calls"] == 4
    assert any("max_model_calls" in note for note in out["errata"]["notes"])
    assert len(openai_server.requests) == 4
    answers = [m.content for m in out["messages"] if m.content in (DRAFT, RESPONSE)]
    assert answers == [RESPONSE, DRAFT]
    skipped = way(bounded, REQUEST, THREAD)
    assert len(openai_server.requests) == 4
    assert skipped["messages"][-1].content == DRAFT


@pytest.mark.slow
def test_a_slow_check_leaves_the_answer(agent, openai_server):
    openai_server.replies, openai_server.delay = REPLIES, 9.0
    out = agent(model="openai:m", max_seconds=3.0).invoke(REQUEST)
    assert out["messages"][-1].content == DRAFT
    assert "longer than 3 s" in out["errata"]["failed"]
    assert out["errata_usage"]["model_calls"] == 1


class Broken(BaseRetriever):
    """A retriever that raises an error of its own."""

    def _get_relevant_documents(self, query):
        raise KeyError(query)


def test_a_failing_retriever_leaves_the_answer(agent, way):
    out = way(agent(corpus=Broken()), REQUEST, {})
    assert out["messages"][-1].content == DRAFT
    assert out["errata"]["failed"].startswith("KeyError")


@pytest.mark.parametrize("options", [{}, {"mode": "block"}, {"method": "errata"}])
def test_an_agent_s_stream_has_its_own_nodes_and_tokens_alone(agent, scripted, options):
    own = {"model", "tools", "FactCorrection.after_agent"}
    verify = scripted({"rac/verify": ["1: True\n2: True\n3: True"]})
    checking = agent(roles={"verify": verify}, **options)
    parts = [*checking.stream(REQUEST, stream_mode=["messages", "updates"])]
    assert {name for mode, part in parts if mode == "updates" for name in part} == own
    told = [part for mode, part in parts if mode == "messages"]
    assert {about["langgraph_node"] for _, about in told} <= own
    assert "".join(m.text for m, _ in told if m.type == "AIMessageChunk") == DRAFT
