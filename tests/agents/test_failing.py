"""What could not be judged is never handed out as if it had been."""

import logging

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from errata import FactCorrection, Session
from errata.core.errors import ErrataError
from errata.core.records import result_json
from example import DRAFT, PAGE, QUESTION, RESPONSE

REQUEST = {"messages": [{"role": "user", "content": QUESTION}]}
DOWN = [500, 5.0, None, {"choices": None}, {"choices": []}]
DOWN += [{"choices": [{"index": 0, "message": None}]}]
QUICK = {"retries": 0, "timeout": 0.5}


@pytest.fixture(params=DOWN, ids=str)
def down(request, openai_server):
    """A model that does not answer: with an error, late, not at all, or without a message."""
    openai_server.plan = [request.param] * 40
    return "openai:m" if request.param else "openai:m@http://127.0.0.1:9/v1"


@pytest.mark.parametrize("method", ["rac", "reex", "cite"])
def test_no_claim_is_called_not_mentioned_by_a_model_that_is_down(down, method):
    result = Session(method, model=down, **QUICK).correct(QUESTION, DRAFT, [PAGE])
    assert {verdict.label for verdict in result.verdicts} == {"unchecked"}
    assert (result.response, result.checked) == (DRAFT, False)
    assert result.failed.startswith("3 of 3 claims could not be judged: ")
    assert result_json(result)["failed"] == result.failed


@pytest.mark.parametrize("status", [401, 500])
@pytest.mark.parametrize("mode", ["correct", "block", "annotate"])
def test_a_failed_check_is_said_on_the_message(agent, openai_server, mode, status, way, caplog):
    openai_server.plan = [status] * 40
    options = {"model": "openai:m", "mode": mode, **QUICK}
    with caplog.at_level(logging.WARNING, "errata"):
        out = way(agent(**options), REQUEST, {})
    answer = out["messages"][-1]
    assert answer.content == DRAFT
    about = answer.additional_kwargs["errata"]
    assert (about["checked"], out["errata"]["checked"]) == (False, False)
    assert str(status) in about["failed"]
    assert any("not checked" in record.message for record in caplog.records)
    blocked = way(agent(on_error="block", blocked="held back", **options), REQUEST, {})
    assert blocked["messages"][-1].content == "held back"
    with pytest.raises(ErrataError, match=str(status)):
        way(agent(on_error="raise", **options), REQUEST, {})


def test_block_and_raise_hold_for_every_failure(agent, down, way):
    options = {"model": down, "mode": "block", **QUICK}
    blocked = way(agent(on_error="block", **options), REQUEST, {})["messages"][-1].content
    assert blocked == "I held my answer back: it could not be checked."
    with pytest.raises(ErrataError, match="could not be judged"):
        way(agent(on_error="raise", **options), REQUEST, {})


def test_a_partial_failure_blocks(agent, openai_server, way):
    """Local code judges one claim; the model that should judge the others is down."""
    openai_server.plan = [500] * 40
    options = {"method": "errata", "model": "openai:m", "hold": "none", **QUICK}
    blocked = way(agent(on_error="block", **options), REQUEST, {})["messages"][-1].content
    assert blocked == "I held my answer back: it could not be checked."
    passed = way(agent(**options), REQUEST, {})["errata"]
    assert (passed["checked"], passed["failed"][:6]) == (True, "1 of 3")


@pytest.mark.parametrize(
    ("options", "said", "why"),
    [
        ({}, DRAFT, "skipped"),
        ({"mode": "block", "on_error": "block"}, "could not be checked", "failed"),
    ],
)
def test_without_evidence_the_strictest_agent_blocks(agent, options, said, why):
    out = agent(looks_up=False, **options).invoke(REQUEST)
    assert said in out["messages"][-1].content
    assert "nothing to judge" in out["errata"][why]
    assert out["errata"]["checked"] is False


@pytest.mark.parametrize("text", [DRAFT, "Hello! How can I help you today?"])
def test_a_model_that_does_not_stream_is_held_whole(text, way):
    for disable in (True, "tool_calling"):
        model = GenericFakeChatModel(messages=iter([AIMessage(text)]), disable_streaming=disable)
        held = FactCorrection("errata", hold="doubtful", documents=[PAGE])
        out = way(create_agent(model, middleware=[held]), REQUEST, {})
        assert out["messages"][-1].content == (RESPONSE if text == DRAFT else text)


def test_a_call_of_a_model_that_does_not_stream_passes(agent, way):
    whole = agent(method="errata", hold="doubtful", writer={"disable_streaming": True})
    out = way(whole, REQUEST, {})
    assert [m.type for m in out["messages"]] == ["human", "ai", "tool", "ai"]
    assert out["messages"][-1].content == RESPONSE
