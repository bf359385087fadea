"""Agents whose final answer is checked, with a model behind a loopback server."""

import asyncio
import json

import pytest
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command
from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from errata import FactCorrection
from errata.api import closing
from errata.conversation import annotated, evidence_in, question_and_answer
from errata.errors import AccessError, SettingError

PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
DRAFT = "Marie Curie was born in 1865. She was Polish."
MENDED = "Marie Curie was born in 1867. She was Polish."
ASK = {"messages": [{"role": "user", "content": "Who was Marie Curie?"}]}
BLOCKED = "held back"
CALL = {"index": 0, "id": "call-1", "type": "function"}


class Assistant:
    """Look up first, then answer wrongly; answer errata's prompts as told."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.replies = {}
        self.prompts = []
        self.delay = 0.0

    async def complete(self, request):
        body = await request.json()
        prompt = request.headers.get("x-errata-prompt")
        if prompt:
            self.prompts.append(prompt)
            await asyncio.sleep(self.delay)
            reply = self.replies.get(prompt, 401)
            if isinstance(reply, int):
                return JSONResponse({"error": {"message": "no"}}, reply)
            return self.sent(body, {"role": "assistant", "content": reply})
        last = body["messages"][-1]
        if last["role"] == "user" and "hello" in last["content"].lower():
            message = {"role": "assistant", "content": "Hello! How can I help you today?"}
        elif last["role"] == "user" and body.get("tools"):
            call = {**CALL, "function": {"name": "look_up", "arguments": '{"name": "Curie"}'}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        else:
            message = {"role": "assistant", "content": DRAFT}
        return self.sent(body, message)

    def sent(self, body, message):
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        about = {"id": "1", "created": 1, "model": "m"}
        if not body.get("stream"):
            row = {"index": 0, "message": message, "finish_reason": reason}
            return JSONResponse({**about, "object": "chat.completion", "choices": [row]})
        words = [{"content": f"{word} "} for word in (message["content"] or "").split()]
        if words:
            words[-1]["content"] = words[-1]["content"].strip()
        calls = [{"tool_calls": message["tool_calls"]}] if reason == "tool_calls" else []
        deltas = [{"role": "assistant", "content": ""}, *words, *calls]

        async def events():
            for number, delta in enumerate(deltas):
                end = reason if number == len(deltas) - 1 else None
                row = {"index": 0, "delta": delta, "finish_reason": end}
                chunk = {**about, "object": "chat.completion.chunk", "choices": [row]}
                yield f"data: {json.dumps(chunk)}\n\n"
            yield "data: [DONE]\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")


@pytest.fixture(scope="module")
def served(serving_all):
    assistant = Assistant()
    routes = [Route("/v1/chat/completions", assistant.complete, methods=["POST"])]
    assistant.url = f"{serving_all(Starlette(routes=routes))}/v1"
    return assistant


@pytest.fixture
def assistant(served, monkeypatch):
    assistant = served
    assistant.forget()
    monkeypatch.setenv("OPENAI_BASE_URL", assistant.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    return assistant


@tool
def look_up(name: str) -> str:
    """Look a person up."""
    return f"{name}: {PAGE}"


@pytest.fixture
def agent(assistant):
    """Give an agent whose answers pass through the middleware, and close its connections."""
    from httpx2 import AsyncClient, Client, Limits

    client = Client()
    passing = AsyncClient(limits=Limits(max_keepalive_connections=0))
    clients = {"http_client": client, "http_async_client": passing}

    def make(checkpointer=None, tools=(look_up,), **options):
        model = ChatOpenAI(model="m", base_url=assistant.url, **clients)
        middleware = [FactCorrection(**options)]
        return create_agent(model, list(tools), middleware=middleware, checkpointer=checkpointer)

    yield make
    client.close()


def sync(agent, asked, config):
    return agent.invoke(asked, config)


def asynchronous(agent, asked, config):
    return asyncio.run(closing(agent.ainvoke(asked, config)))


def streamed(agent, asked, config):
    *_, last = agent.stream(asked, config, stream_mode="values")
    return last


def astreamed(agent, asked, config):
    async def last():
        async for value in agent.astream(asked, config, stream_mode="values"):
            found = value
        return found

    return asyncio.run(closing(last()))


WAYS = [sync, asynchronous, streamed, astreamed]
KEPT = {
    "correct": MENDED,
    "annotate": DRAFT,
    "block": BLOCKED,
}


def thread(name="1"):
    return {"configurable": {"thread_id": name}}


@pytest.mark.parametrize("way", WAYS)
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
@pytest.mark.parametrize("way", WAYS)
def test_review_waits_for_a_decision_on_each_edit(agent, way, answer, content):
    reviewing = agent(InMemorySaver(), mode="review")
    stopped = way(reviewing, ASK, thread())
    [waiting] = stopped["__interrupt__"]
    assert [edit["id"] for edit in waiting.value["edits"]] == ["e1"]
    assert waiting.value["response"] == MENDED
    out = way(reviewing, Command(resume=answer), thread())
    assert out["messages"][-1].content == content
    assert out["errata"]["changed"] == (content != DRAFT)


def test_an_unclear_decision_is_asked_for_again(agent):
    with SqliteSaver.from_conn_string(":memory:") as saver:
        reviewing = agent(saver, mode="review")
        reviewing.invoke(ASK, thread())
        for answer, fault in [
            ("yes", "cannot read 'yes'"),
            ({"e9": "accept"}, "without a decision: ['e1']"),
            ({"e1": "accept", "e9": "accept"}, "not under review: ['e9']"),
            ({"e1": {"text": "1868"}}, "for e1"),
        ]:
            out = reviewing.invoke(Command(resume=answer), thread())
            assert fault in out["__interrupt__"][0].value["fault"]
        out = reviewing.invoke(Command(resume="accept"), thread())
        assert out["messages"][-1].content == MENDED


MODEL = {
    "rac/extract.v1": "Marie Curie was born in 1865.\nMarie Curie was Polish.",
    "rac/verify.v1": "1: False\n2: True",
    "rac/correct.v1": "Marie Curie was born in 1867.",
    "rac/revise.sentence.v1": "Marie Curie was born in 1867.",
}


@pytest.mark.parametrize("way", WAYS)
def test_no_call_is_paid_twice_when_a_review_resumes(agent, assistant, way):
    assistant.replies = MODEL
    reviewing = agent(InMemorySaver(), mode="review", model="openai:m")
    way(reviewing, ASK, thread())
    paid = list(assistant.prompts)
    out = way(reviewing, Command(resume="accept"), thread())
    assert out["messages"][-1].content == MENDED
    assert assistant.prompts == paid
    assert sorted(paid) == sorted(MODEL)
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


@pytest.mark.parametrize("way", WAYS)
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


@pytest.mark.parametrize("way", WAYS)
def test_what_a_conversation_spends_is_added_up_and_bounded(agent, assistant, way):
    assistant.replies = MODEL
    bounded = agent(InMemorySaver(), model="openai:m", max_model_calls=5)
    way(bounded, ASK, thread())
    out = way(bounded, ASK, thread())
    assert out["errata_usage"]["model_calls"] == 5
    assert any("max_model_calls" in note for note in out["errata"]["notes"])
    assert len(assistant.prompts) == 5
    assert [m.content for m in out["messages"] if m.content in (DRAFT, MENDED)] == [MENDED, DRAFT]
    skipped = way(bounded, ASK, thread())
    assert len(assistant.prompts) == 5
    assert skipped["messages"][-1].content == DRAFT


@pytest.mark.parametrize("way", WAYS)
def test_a_slow_check_leaves_the_answer(agent, assistant, way):
    assistant.replies, assistant.delay = MODEL, 5.0
    out = way(agent(model="openai:m", max_seconds=0.3), ASK, {})
    assert out["messages"][-1].content == DRAFT
    assert "longer than 0.3 s" in out["errata"]["failed"]
    assert out["errata_usage"]["model_calls"] == 1


@pytest.mark.parametrize("way", WAYS)
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


@pytest.mark.parametrize("way", WAYS)
def test_a_failure_of_others_code_leaves_the_answer(agent, way):
    out = way(agent(corpus=Broken()), ASK, {})
    assert out["messages"][-1].content == DRAFT
    assert out["errata"]["failed"].startswith("KeyError")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"mode": "rewrite"}, "no mode is called 'rewrite'"),
        ({"method": "crag"}, "no method is called 'crag'"),
        ({"speed": 1}, "no setting 'speed'"),
        ({"mode": "review", "review": "none"}, "does not go with"),
        ({"review": "all"}, "does not go with"),
    ],
)
def test_wrong_settings_are_refused_at_once(options, fault):
    with pytest.raises(SettingError, match=fault):
        FactCorrection(**options)


def test_evidence_is_what_tools_found():
    kept = [Document(PAGE, id="p1", metadata={"title": "Marie Curie", "source": "https://x.org"})]
    messages = [
        HumanMessage("Who?"),
        ToolMessage("old", tool_call_id="1", name="first"),
        AIMessage("Somebody."),
        HumanMessage("Who was Curie?"),
        ToolMessage("shown", tool_call_id="2", name="search", artifact=kept),
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


def test_what_is_no_text_in_a_message_stays():
    blocks = [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": DRAFT}]
    message = AIMessage(blocks, id="7", additional_kwargs={"other": 1})
    mended = annotated(message, MENDED, {"mode": "correct"})
    assert mended.id == "7"
    assert mended.content == [blocks[0], {"type": "text", "text": MENDED}]
    assert mended.additional_kwargs == {"other": 1, "errata": {"mode": "correct"}}
    assert annotated(message, DRAFT, {}).content == blocks
