"""Decision models of other packages, and OpenAI's client, on the server of the tests."""

import httpx2
import pytest
from openai import OpenAI

from decisions_server import DecisionsServer
from errata import acheck, acorrect

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:The class `.*` is in beta"),
]
PAGES = ["Ada Moll was born in Bern in 1901.", "Bees make honey."]
BORN, WRONG = "Ada Moll was born in Bern in 1901.", "Ada Moll was born in Rome in 1901."


@pytest.fixture
def server(serving):
    stand_in = DecisionsServer()
    stand_in.url = serving(stand_in.app)
    stand_in.says = {BORN: "supported", WRONG: "refuted", "Rome": "Bern"}
    return stand_in


@pytest.fixture
async def http():
    async with httpx2.AsyncClient() as client:
        yield client


def openai_decisions(server, http, **options):
    from langchain_openai.decisions import OpenAIDecisions

    own = {"base_url": f"{server.url}/v1", "api_key": "none", "http_async_client": http}
    return OpenAIDecisions(model="jev", **own, **options)


def typesafe(server, http, **options):
    package = pytest.importorskip("langchain_typesafe", reason="needs langchain-typesafe")
    with httpx2.Client() as closed:
        own = {"base_url": server.url, "api_key": "none", "client": closed, "async_client": http}
        return package.TypeSafeClassifier(model="jev", **own, **options)


@pytest.fixture(params=[openai_decisions, typesafe])
def decider(request, server, http):
    return lambda **options: request.param(server, http, **options)


def test_openais_own_client_reads_the_servers_answers(server):
    with OpenAI(base_url=f"{server.url}/v1", api_key="none") as client:
        said = f"<claim>\n{BORN}\n</claim>"
        choices = [{"value": "supported"}, {"value": "refuted", "description": "They deny it."}]
        asked = [
            {"type": "choice", "name": "c", "instructions": said, "choices": choices},
            {"type": "predicate", "instructions": said},
        ]
        decision = client.decisions.create(model="jev", input="text", questions=asked)
    chosen, yes = decision.answers
    assert (chosen.name, chosen.choice, chosen.confidence) == ("c", "supported", 0.9)
    assert (yes.type, decision.usage.output_tokens) == ("predicate", 0)


async def test_a_providers_object_judges_and_mends(server, decider):
    checked = await acheck("", f"{BORN} {WRONG}", documents=PAGES, roles={"verify": decider()})
    assert [(v.label, v.score) for v in checked.verdicts] == [("supported", 0.9), ("refuted", 0.05)]
    assert checked.usage.by_model["jev"]["model_calls"] == len(server.requests) == 1
    assert (checked.usage.prompt_tokens, checked.usage.completion_tokens) == (100, 0)
    server.says[BORN] = 0.95
    mended = await acorrect("", WRONG, documents=PAGES, roles={"verify": decider()})
    assert mended.response == BORN


@pytest.mark.parametrize("step", [500, 501, '{"model": "jev", "ans'])
async def test_a_providers_object_that_fails_changes_nothing(server, decider, step):
    server.plan = [step] * 20
    settings = {"documents": PAGES, "roles": {"verify": decider()}, "retries": 1}
    out = await acorrect("", f"{BORN} {WRONG}", **settings)
    assert {v.label for v in out.verdicts} == {"unchecked"}
    assert not out.changed
    assert any("answer typed questions" in note for note in out.notes) == (step == 501)


async def test_objects_that_differ_in_any_parameter_share_no_kept_reply(server, decider, tmp_path):
    settings = {"documents": PAGES, "call_cache": str(tmp_path / "calls")}
    for timeout in (5.0, 6.0, 5.0):
        roles = {"verify": decider(timeout=timeout)}
        await acheck("", BORN, roles=roles, **settings)
    assert len(server.requests) == 2
