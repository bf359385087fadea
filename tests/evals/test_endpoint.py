"""The simulated endpoint: its wire format through the real clients, its faults and its replies."""

from dataclasses import replace

import httpx2
import pytest
from langchain_openai import ChatOpenAI

from errata import aanswer, acorrect
from errata.evals.benches.costs import FORMS, invented_items, settings_for
from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.replies import reply_to
from errata.evals.endpoint.running import pointed_at
from errata.evals.endpoint.settings import Settings
from errata.evals.runner import run_item
from errata.methods import METHODS
from errata.prompts.library import load_prompt
from errata.session import Session
from errata.tools.models.chat import HEADER
from example import DRAFT, OURS, QUESTION

AT_ONCE = Settings(first=0.0, token=0.0, decision=0.0, search=0.0, page=0.0)
TEXT = load_prompt("rac/extract.v2").fill(question=QUESTION, draft=DRAFT)


@pytest.fixture
def served(serving):
    """Serves an endpoint that replies at once; its application and a model on it."""

    def serve(**rates):
        endpoint = Endpoint(replace(AT_ONCE, rates=rates))
        url = serving(endpoint.app)
        return endpoint, model_on(url), url

    return serve


@pytest.fixture(scope="module")
def quick(serving_all):
    """The address of an endpoint that replies at once and never fails."""
    return serving_all(Endpoint(AT_ONCE).app)


def model_on(url, timeout=30.0):
    return ChatOpenAI(
        model="m", base_url=f"{url}/v1", api_key="none", max_retries=0, timeout=timeout
    )


@pytest.mark.anyio
async def test_the_real_client_reads_a_reply_with_its_usage(served):
    endpoint, model, _ = served()
    reply = await model.ainvoke(TEXT, extra_headers={HEADER: "rac/extract.v2"})
    assert reply.content == reply_to("rac/extract.v2", TEXT)
    assert reply.response_metadata["finish_reason"] == "stop"
    sent, received = -(-len(TEXT) // 4), -(-len(reply.content) // 4)
    assert reply.usage_metadata["input_tokens"] == sent
    assert reply.usage_metadata["output_tokens"] == received
    assert endpoint.prompts == {"rac/extract": 1}
    assert endpoint.counts["prompt_tokens"] == sent


@pytest.mark.anyio
@pytest.mark.parametrize("form", ["decisions:m", "systemone:m@{}/v1"])
async def test_typed_questions_are_answered_in_both_forms(served, form):
    endpoint, _, url = served()
    [item] = invented_items(1)
    with pointed_at(url):
        asked = {"documents": item.documents, "roles": {"verify": form.format(url)}}
        out = await acorrect(item.question, item.draft, **asked)
        asked["roles"] = {"evaluate": form.format(url)}
        answer = await aanswer(item.question, **asked)
    assert {v.label for v in out.verdicts} == {"supported", "refuted", "not_mentioned"}
    assert {edit.by for edit in out.edits} == {"choice"}
    assert all(edit.after in item.documents[0].text for edit in out.edits)
    assert (out.usage.completion_tokens, answer.action) == (0, "correct")
    assert endpoint.prompts == {"decisions": 5}  # claims, words, new claims; documents, strips
    async with httpx2.AsyncClient() as http:
        assert (await http.post(f"{url}/v1/decisions", json={"model": "m"})).status_code == 400


@pytest.mark.anyio
@pytest.mark.parametrize("profile", FORMS)
@pytest.mark.parametrize("method", OURS)
async def test_every_method_runs_its_course_on_it(quick, method, profile):
    [item] = invented_items(1)
    with pointed_at(quick):
        settings = settings_for(method, profile, "serpapi")
        async with Session(method, model="openai:m", **settings) as session:
            result = await run_item(session, item)
    assert result.usage.model_calls
    if METHODS[method].corrects:
        labels = {verdict.label for verdict in result.verdicts}
        assert "unreadable" not in labels
        assert "refuted" in labels
        assert result.changed or not METHODS[method].revises
    else:
        assert result.response
