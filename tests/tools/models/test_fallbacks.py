"""A role with several models in order: which one answers, and what is said and counted."""

import pytest
from httpx2 import AsyncClient
from langchain_openai import ChatOpenAI

from errata import acorrect, correct
from errata.core.errors import AccessError
from errata.tools.models.pool import close_loop_models
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE
from openai_server import OpenAIServer

pytestmark = pytest.mark.anyio
DEAD = "http://127.0.0.1:9/v1"


@pytest.fixture
def second(serving):
    """A further server that answers well, and the spec of a model on it."""
    server = OpenAIServer()
    server.replies = REPLIES
    server.url = f"{serving(server.app)}/v1"
    server.spec = f"openai:b@{server.url}"
    return server


def run(model, **settings):
    settings = {"retries": 0, "model": model} | settings
    return correct(QUESTION, DRAFT, documents=[PAGE], **settings)


@pytest.mark.parametrize(
    ("step", "fault", "counts"),
    [
        (500, "Error code: 500", {"failed_calls": 3}),
        (429, "over its limit", {"failed_calls": 3}),
        (401, "check the key", {"failed_calls": 3}),
        ("", "is empty", {"model_calls": 6, "estimated_calls": 6}),
        ("I'm sorry, but I can't help.", "refused", {"model_calls": 6, "estimated_calls": 6}),
    ],
)
def test_the_next_model_answers_where_one_fails(openai_server, second, step, fault, counts):
    openai_server.plan = [step] * 9
    correction = run(f"openai:a,{second.spec}")
    assert correction.response == RESPONSE
    [note] = [note for note in correction.notes if "instead" in note]
    assert note.startswith(f"openai:a failed, and {second.spec} answered instead: ")
    assert fault in note
    of_first, of_second = (correction.usage.by_model[name] for name in ("openai:a", second.spec))
    assert {name: of_first.get(name) for name in counts} == counts
    assert of_second["model_calls"] == of_second["fallback_calls"] == 3
    assert correction.usage.by_role["verify"]["fallback_calls"] == 1
    assert not any("failed_calls" in share for share in correction.usage.by_role.values())


def test_a_model_whose_breaker_is_open_is_passed_over(second):
    correction = run(f"openai:a@{DEAD},{second.spec}", breaker_after=2)
    assert correction.response == RESPONSE
    assert correction.usage.by_model[f"openai:a@{DEAD}"] == {"failed_calls": 2, "refused_calls": 1}


def test_a_role_has_models_of_its_own_also_after_local_code(openai_server, second):
    """Local code keeps the claim that it refutes."""
    openai_server.plan = [500] * 9
    second.replies = REPLIES | {"rac/verify": "1: True\n2: Not Mentioned"}
    roles = {"verify": f"local>openai:a,{second.spec}"}
    correction = run("local", roles=roles, sure_above=1.0, sure_below=0.0)
    assert correction.response == RESPONSE
    assert correction.usage.by_model[second.spec]["fallback_calls"] == 1


async def test_a_list_may_hold_models_as_objects(openai_server, second):
    openai_server.plan = [500] * 9
    async with AsyncClient() as client:
        model = ChatOpenAI(
            model="mine", base_url=second.url, api_key="none", http_async_client=client
        )
        settings = {"roles": {"verify": ["openai:a", model]}, "retries": 0}
        correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], **settings)
    await close_loop_models()
    assert correction.response == RESPONSE
    assert correction.usage.by_model["mine"]["fallback_calls"] == 1


@pytest.mark.parametrize("first", [500, 401])
def test_if_all_fail_the_draft_stays_and_each_is_noted(openai_server, second, first):
    openai_server.plan, second.plan = [first] * 9, [500] * 9
    correction = run("local", roles={"verify": f"openai:a,{second.spec}"})
    assert correction.response == DRAFT
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    notes = " ".join(correction.notes)
    assert f"openai:a failed, and so did {second.spec}: " in notes
    assert f"Error code: {first}" in notes
    assert "Error code: 500" in notes
    assert correction.usage.by_role["verify"]["failed_calls"] == 1


def test_only_the_last_model_ends_a_run_by_refusing_the_key(openai_server, second):
    openai_server.plan, second.plan = [500] * 9, [401]
    with pytest.raises(AccessError, match="check the key"):
        run(f"openai:a,{second.spec}")


def test_a_run_with_fallbacks_is_replayed(openai_server, second, tmp_path):
    openai_server.plan = ["", "", 500, ""] + [500] * 9
    model = f"openai:a,{second.spec}"
    path = str(tmp_path / "record.sqlite")
    first = run(model, record=path)
    calls = len(openai_server.requests), len(second.requests)
    again = run(model, replay=path)
    assert (len(openai_server.requests), len(second.requests)) == calls
    assert (again.response, again.verdicts) == (first.response, first.verdicts)
    counts = again.usage.by_model
    assert [counts[name]["model_calls"] for name in ("openai:a", second.spec)] == [3, 3]


def keys(server):
    return {headers["authorization"] for headers, _ in server.requests}


@pytest.mark.parametrize("own", ["", "key-of-its-own"])
def test_a_key_goes_to_its_own_host_alone(openai_server, serving, monkeypatch, own):
    elsewhere = OpenAIServer()
    url = f"{serving(elsewhere.app, '127.0.0.2')}/v1"
    monkeypatch.setenv("ERRATA_MODEL_KEY", own)
    run(f"openai:b@{url}")
    assert keys(elsewhere) == {f"Bearer {own or 'none'}"}
    home = OpenAIServer()
    run(f"openai:b@{serving(home.app)}/v1")
    assert keys(home) == {f"Bearer {openai_server.KEY}"}
