"""Web search: each engine in its wire format, retries, errors, the cache, and the hits."""

import time

import pytest

from errata.core.errors import SearchError, SettingError
from errata.core.records import Hit
from errata.tools.net.endpoints import Limits
from errata.tools.web.search import HITS, engine_for, search_web, wikipedia_first

ENGINES = pytest.mark.parametrize("name", ["serpapi", "serper", "searxng", "wikipedia"])


async def search(name, query="Marie Curie", **limits):
    return await search_web(query, name, Limits(**{"timeout": 5} | limits))


QUERY = "Marie Curie, born"
HIT = Hit(url="https://a.example/1", title="One", snippet="first")
REPLIES = {
    "serpapi": {
        "organic_results": [{"link": HIT.url, "title": "One", "snippet": "first"}, {"title": "-"}],
        "answer_box": {"answer": "7 November 1867"},
        "knowledge_graph": {"title": "Marie Curie", "born": "1867", "image": "https://x", "a": [1]},
    },
    "serper": {
        "organic": [{"link": HIT.url, "title": "One", "snippet": "first"}],
        "answerBox": {"snippet": "in 1867"},
        "knowledgeGraph": {"title": "Marie Curie", "attributes": {"Born": "1867"}},
    },
    "searxng": {
        "results": [{"url": HIT.url, "title": "One", "content": "first"}, {"url": ""}],
        "answers": ["in 1867", {"answer": "on 7 November"}],
    },
    "wikipedia": {
        "query": {"search": [{"title": "One", "snippet": "<span>fir</span>st &amp; last"}]}
    },
}


async def ask(name):
    """What an engine finds, before anything is made of it."""
    return await engine_for(name)(QUERY, Limits(timeout=5), HITS)


GOOGLE = {"q": QUERY, "num": "10", "engine": "google"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "answer", "graph", "parameters"),
    [
        ("serpapi", "7 November 1867", "title: Marie Curie\nborn: 1867", GOOGLE),
        ("serper", "in 1867", "title: Marie Curie\nBorn: 1867", {"q": QUERY, "num": 10}),
        ("searxng", "in 1867\non 7 November", "", {"q": QUERY, "format": "json"}),
        ("wikipedia", "", "", {"srsearch": "Marie Curie born"}),
    ],
)
async def test_a_reply_becomes_a_result(server, name, answer, graph, parameters):
    server.reply = REPLIES[name]
    result = await ask(name)
    own = Hit(url=f"{server.address}/wiki/One", title="One", snippet="first & last")
    assert result.hits == (own if name == "wikipedia" else HIT,)
    assert (result.answer_box, result.knowledge_graph) == (answer, graph)
    assert server.requests[0].items() >= parameters.items()


@pytest.mark.anyio
async def test_an_error_in_a_successful_response_is_an_error(server):
    server.reply = {"error": "out of searches"}
    with pytest.raises(SearchError, match="out of searches"):
        await ask("serpapi")


@pytest.mark.anyio
async def test_an_answer_that_never_ends_is_an_error_at_once(server):
    server.plan = ["flooded", "flooded"]
    with pytest.raises(SearchError, match="larger than 5000000 bytes"):
        await ask("serpapi")
    assert len(server.requests) == 1


def test_an_unknown_engine_is_an_error():
    with pytest.raises(
        SettingError, match="known are none, serpapi, serper, searxng, wikipedia, corpus"
    ):
        engine_for("altavista")


@pytest.mark.anyio
@ENGINES
@pytest.mark.parametrize(
    ("plan", "requests", "message"),
    [([429, 503], 3, ""), ([429] * 9, 3, "429"), ([401], 1, "401"), (["broken"], 1, "is not JSON")],
)
async def test_a_failure_is_repeated_and_a_lasting_one_an_error_without_the_key(
    server, name, plan, requests, message
):
    server.plan = list(plan)
    if message:
        with pytest.raises(SearchError, match=f"{name} failed: .*{message}") as error:
            await search(name, retries=2)
        assert server.KEY not in str(error.value)
    else:
        await search(name, retries=2)
    assert len(server.requests) == requests


@pytest.mark.anyio
@ENGINES
@pytest.mark.usefixtures("server")
async def test_a_server_that_does_not_answer_is_an_error(name, monkeypatch):
    for variable in ("SERPAPI_BASE_URL", "SERPER_BASE_URL", "SEARXNG_URL", "WIKIPEDIA_API_URL"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with pytest.raises(SearchError, match=f"{name} failed: .*Connect"):
        await search(name, timeout=2, retries=0)


@pytest.mark.anyio
async def test_what_an_engine_sends_becomes_text(server):
    row = {"link": "https://a.example/\ud800", "title": None, "snippet": 7}
    again = {"link": "https://www.a.example/\ud800/"}
    rows = [row, again, {"link": 7}]
    server.reply = {"organic_results": rows, "answer_box": {"answer": "\ud800"}}
    result = await search("serpapi")
    assert result.engine == "serpapi"
    assert result.hits == (Hit(url="https://a.example/\ufffd", snippet="7"), Hit(url="7"))
    assert result.answer_box == "\ufffd"


@pytest.mark.anyio
@pytest.mark.usefixtures("server")
async def test_searches_keep_to_the_rate_limit():
    start = time.monotonic()
    for number in range(3):
        await search("serpapi", str(number), per_second=5)
    assert time.monotonic() - start > 0.35


def test_wikipedia_comes_first_if_preferred():
    urls = ["https://a.example", "https://not-wikipedia.org/A", "https://en.wikipedia.org/wiki/A"]
    hits = [Hit(url=url) for url in urls]
    assert wikipedia_first(hits) == [hits[2], *hits[:2]]
