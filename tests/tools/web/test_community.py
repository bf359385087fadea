"""Search wrappers and retrievers of langchain-community as engines and corpora, over loopback."""

import json
import socket

import pytest

from community_server import CommunityServer
from errata import answer, check, correct
from errata.core.errors import InputError, SearchError, SettingError
from errata.core.records import Hit
from errata.tools.net.limits import Limits
from errata.tools.retrieval.retrieve import retrieve
from errata.tools.web.engines import engine_for
from errata.tools.web.search import SearchCache, search_web

ROW = {"url": "https://a.example/1", "title": "One", "content": "first"}
HIT = Hit(url="https://a.example/1", title="One", snippet="first")


@pytest.fixture
def services(serving, monkeypatch):
    server = CommunityServer()
    server.address = serving(server.app)
    monkeypatch.setenv("SEARX_HOST", f"{server.address}/searx")
    monkeypatch.setenv("BRAVE_SEARCH_API_KEY", server.KEY)
    return server


async def search(spec, seconds=5):
    return await search_web("Marie Curie", spec, Limits(timeout=seconds), SearchCache())


@pytest.mark.anyio
@pytest.mark.parametrize(
    "name", ["searx", "Searx", "SearxSearchWrapper", "brave?base_url={}/brave"]
)
async def test_a_wrapper_finds_pages_to_read(services, name):
    services.rows = [ROW, {**ROW, "url": ""}]
    result = await search(f"community:{name.format(services.address)}")
    assert result.hits == (HIT,)
    assert services.requests[0]["q"] == "Marie Curie"


@pytest.mark.anyio
async def test_a_retriever_has_the_texts(services):
    result = await search(services.pubmed)
    text = "Marie Curie discovered radium in 1898."
    assert result.hits == (Hit(url="community:pubmed/1", title="Radium", text=text),)
    assert result.engine == services.pubmed


@pytest.mark.anyio
@pytest.mark.usefixtures("services")
async def test_nothing_found_is_no_hit():
    assert (await search("community:searx")).hits == ()


@pytest.mark.anyio
async def test_what_comes_back_is_bounded(services):
    row = {"url": f"https://a.example/{'x' * 9000}", "title": "t" * 9000, "content": "a\ud800" * 9}
    services.rows = [{**row, "url": f"{n}{row['url']}"} for n in range(30)]
    result = await search("community:searx")
    assert len(result.hits) == 10
    assert max(len(field) for hit in result.hits for field in (hit.url, hit.title)) == 2000
    assert result.hits[0].snippet == "a\ufffd" * 9


@pytest.mark.anyio
async def test_a_failure_is_an_error_without_the_key(services, monkeypatch):
    monkeypatch.setenv("BRAVE_SEARCH_API_KEY", "another-secret-key")
    spec = f"community:brave?base_url={services.address}/brave"
    with pytest.raises(SearchError, match=r"BraveSearchWrapper failed: .*HTTP error 401") as error:
        await search(spec)
    assert "another-secret-key" not in str(error.value)
    monkeypatch.delenv("SEARX_HOST")
    with pytest.raises(SearchError, match=r"Did not find searx_host.*SEARX_HOST"):
        await search("community:searx")
    with pytest.raises(SearchError, match="pip install -U ddgs"):
        await search("community:duckduckgo")
    with pytest.raises(SearchError, match=r"hat_size.*not permitted"):
        await search("community:searx?searx_host=http://127.0.0.1:9&hat_size=7")


@pytest.mark.anyio
async def test_a_service_that_never_answers_is_given_up(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("SEARX_HOST", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(SearchError, match=r"community:searx failed: it took longer than 0"):
            await search("community:searx", seconds=0.2)


def test_a_service_that_never_answers_does_not_keep_the_process(run_python):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        code = (
            "import asyncio, sys\nfrom errata.tools.net.limits import Limits\n"
            "from errata.tools.web.engines import engine_for\n"
            "spec = f'community:searx?searx_host=http://127.0.0.1:{sys.argv[1]}'\n"
            "try:\n    asyncio.run(engine_for(spec)('x', Limits(timeout=0.2), 10))\n"
            "except Exception as error:\n    print(error)"
        )
        output = run_python(code, str(silent.getsockname()[1]), seconds=30)
    assert output == "it took longer than 0.2 s\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AmazonKendraRetriever", "has given AmazonKendraRetriever up; use .*langchain_aws"),
        ("TavilySearchAPIRetriever", "use langchain-tavily"),
        ("WolframAlphaAPIWrapper", "neither retrieves nor returns results"),
        ("SearxSearch", "or utilities called 'SearxSearch'; did you mean SearxSearchWr"),
        ("x" * 99, "langchain-community has no"),
        ("", "langchain-community has no"),
    ],
)
def test_what_cannot_search_is_refused_before_anything_runs(name, message):
    with pytest.raises(SettingError, match=message):
        engine_for(f"community:{name}")


def test_a_missing_package_is_named(run_python):
    code = (
        "import sys\nsys.modules['langchain_community'] = None\n"
        "from errata.core.errors import SettingError\n"
        "from errata.tools.web.engines import engine_for\n"
        "try:\n    engine_for('community:searx')\nexcept SettingError as error:\n    print(error)"
    )
    assert "pip install 'errata[community]'" in run_python(code)


def test_pages_that_it_finds_are_read_only_from_public_addresses(services):
    services.rows = [{**ROW, "url": f"{services.address}/efetch"}]
    result = answer("Who was Marie Curie?", search="community:searx")
    assert any("which is not public" in note for note in result.notes)
    assert not any(isinstance(request, bytes) for request in services.requests)
    assert result.documents[-1].text == "first"


@pytest.mark.anyio
async def test_a_retriever_is_a_corpus(services):
    metadata = {"title": "Curie", "source": "https://a.example/"}
    row = {"page_content": "Marie Curie was born in 1867.", "metadata": metadata}
    services.reply = json.dumps({"response": [row] * 3})
    documents = await retrieve("Marie Curie", services.retriever, 2)
    assert [(d.text, d.title, d.url, d.source) for d in documents] == [
        ("Marie Curie was born in 1867.", "Curie", "https://a.example/", "corpus")
    ] * 2
    assert services.requests == [{"message": "Marie Curie"}]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reply", "message"),
    [("{nope", "RemoteLangChainRetriever failed: JSONDecodeError"), ("[]", "failed: TypeError")],
)
async def test_a_failure_of_a_corpus_is_an_error(services, reply, message):
    services.reply = reply
    with pytest.raises(InputError, match=message):
        await retrieve("x", services.retriever, 2)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("community:searx", "is a search engine; give it to --search"),
        (
            "community:RemoteLangChainRetriever",
            "RemoteLangChainRetriever cannot be used: url Field",
        ),
        ("community:nothing", "has no retrievers or utilities called 'nothing'"),
    ],
)
async def test_what_is_no_corpus_is_refused(spec, message):
    with pytest.raises(SettingError, match=message):
        await retrieve("x", spec, 2)


def test_a_draft_is_corrected_by_a_retriever(services):
    draft = "Marie Curie discovered radium in 1895."
    correction = correct("Who was Marie Curie?", draft, corpus=services.pubmed)
    assert correction.response == "Marie Curie discovered radium in 1898."


def test_a_retriever_that_finds_nothing_supports_nothing(services):
    correction = check("Who was Ada?", "Ada wrote notes.", corpus=services.retriever)
    assert correction.label == "not_mentioned"
    assert "there is no document to judge by: no claim can be checked" in correction.notes
