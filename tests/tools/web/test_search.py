"""Search engines, spoken to over loopback in their own wire format."""

import json
import time

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.errors import SearchError, SettingError
from errata.records import Hit, SearchResult
from errata.tools.net.limits import Limits
from errata.tools.web.cache import SearchCache
from errata.tools.web.engines import engine_for
from errata.tools.web.search import (
    distinct_pages,
    engine_answers,
    search_web,
    wikipedia_first,
)

pytestmark = pytest.mark.anyio
KEY = "serpapi-secret-key"
SERPAPI = {
    "organic_results": [
        {"link": "https://a.example/1", "title": "One", "snippet": "first"},
        {"link": "https://www.a.example/1/", "title": "One again"},
        {"title": "no link"},
    ],
    "answer_box": {"answer": "7 November 1867"},
    "knowledge_graph": {"title": "Marie Curie", "born": "1867", "image": "https://x", "rows": [1]},
}
SERPER = {
    "organic": [{"link": "https://a.example/1", "title": "One", "snippet": "first"}],
    "answerBox": {"snippet": "in 1867"},
    "knowledgeGraph": {"title": "Marie Curie", "attributes": {"Born": "1867"}},
}
SEARXNG = {
    "results": [{"url": "https://a.example/1", "title": "One", "content": "first"}, {"url": ""}],
    "answers": ["in 1867", {"answer": "on 7 November"}],
}
WIKIPEDIA = {
    "query": {"search": [{"title": "Marie Curie", "snippet": "was <span>born</span> &amp; raised"}]}
}


class Engine:
    """Answer every request from a plan of statuses, then with a reply."""

    def __init__(self):
        self.plan, self.reply, self.seen = [], {}, []

    async def answer(self, request):
        body = await request.body()
        query = dict(request.query_params)
        self.seen.append(json.loads(body) if body else query)
        status = self.plan.pop(0) if self.plan else 200
        if status == "broken":
            return Response("{nope", media_type="application/json")
        if status != 200:
            return JSONResponse({"error": f"no, {KEY}"}, status, {"Retry-After": "0.01"})
        return JSONResponse(self.reply)


@pytest.fixture
def engine(serving, monkeypatch):
    made = Engine()
    route = Route("/{path:path}", made.answer, methods=["GET", "POST"])
    address = serving(Starlette(routes=[route]))
    for name in ("SERPAPI_BASE_URL", "SERPER_BASE_URL", "SEARXNG_URL"):
        monkeypatch.setenv(name, address)
    monkeypatch.setenv("WIKIPEDIA_API_URL", f"{address}/w/api.php")
    monkeypatch.setenv("SERPAPI_API_KEY", KEY)
    monkeypatch.setenv("SERPER_API_KEY", KEY)
    made.address = address
    return made


async def search(name, query="Marie Curie, born", limits=None, cache=None):
    return await search_web(query, name, limits or Limits(timeout=5), cache or SearchCache())


async def test_serpapi(engine):
    engine.reply = SERPAPI
    found = await search("serpapi")
    assert found.hits == (Hit(url="https://a.example/1", title="One", snippet="first"),)
    assert found.answer_box == "7 November 1867"
    assert found.knowledge_graph == "title: Marie Curie\nborn: 1867"
    assert engine.seen[0]["q"] == "Marie Curie, born"
    assert [d.title for d in engine_answers(found)] == [
        "serpapi: answer box",
        "serpapi: knowledge graph",
    ]


async def test_serper(engine):
    engine.reply = SERPER
    found = await search("serper")
    assert found.hits == (Hit(url="https://a.example/1", title="One", snippet="first"),)
    assert (found.answer_box, found.knowledge_graph) == (
        "in 1867",
        "title: Marie Curie\nBorn: 1867",
    )
    assert engine.seen[0] == {"q": "Marie Curie, born", "num": 10}


async def test_searxng(engine):
    engine.reply = SEARXNG
    found = await search("searxng")
    assert found.hits == (Hit(url="https://a.example/1", title="One", snippet="first"),)
    assert found.answer_box == "in 1867\non 7 November"
    assert engine.seen[0]["format"] == "json"


async def test_wikipedia(engine):
    engine.reply = WIKIPEDIA
    found = await search("wikipedia")
    url = f"{engine.address}/wiki/Marie_Curie"
    assert found.hits == (Hit(url=url, title="Marie Curie", snippet="was born & raised"),)
    assert engine.seen[0]["srsearch"] == "Marie Curie born"


async def test_a_corpus_may_be_the_web(root):
    found = await search(f"corpus:{root / 'demo' / 'corpus'}")
    assert found.hits[0].title == "Marie Curie"
    assert "7 November 1867" in found.hits[0].text


ENGINES = pytest.mark.parametrize("name", ["serpapi", "serper", "searxng", "wikipedia"])


@ENGINES
async def test_what_may_pass_is_sent_again(engine, name):
    engine.plan = [429, 503]
    await search(name, limits=Limits(timeout=5, retries=2))
    assert len(engine.seen) == 3


@ENGINES
@pytest.mark.parametrize(
    ("plan", "calls", "said"),
    [
        ([429] * 9, 2, "answered 429"),
        ([401], 1, "answered 401"),
        (["broken"], 1, "is no JSON"),
    ],
)
async def test_what_cannot_pass_is_said(engine, name, plan, calls, said):
    engine.plan = list(plan)
    with pytest.raises(SearchError, match=f"{name} failed: .*{said}") as caught:
        await search(name, limits=Limits(timeout=5, retries=1))
    assert len(engine.seen) == calls
    assert KEY not in str(caught.value)


@ENGINES
@pytest.mark.usefixtures("engine")
async def test_nobody_there_is_said(name, monkeypatch):
    for variable in ("SERPAPI_BASE_URL", "SERPER_BASE_URL", "SEARXNG_URL", "WIKIPEDIA_API_URL"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with pytest.raises(SearchError, match=f"{name} failed: .*Connect"):
        await search(name, limits=Limits(timeout=2, retries=0))


async def test_an_error_in_a_good_answer_is_an_error(engine):
    engine.reply = {"error": "out of searches"}
    with pytest.raises(SearchError, match="out of searches"):
        await search("serpapi")


@pytest.mark.parametrize("name", ["serpapi", "serper", "searxng"])
async def test_a_missing_key_is_said(name, monkeypatch):
    for variable in ("SERPAPI_API_KEY", "SERPER_API_KEY", "SEARXNG_URL"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(SearchError, match=f"{name} failed: the environment holds no"):
        await search(name)


def test_an_unknown_engine_is_refused():
    with pytest.raises(SettingError, match="known are none, serpapi, serper, searxng, wikipedia"):
        engine_for("altavista")


async def test_a_fresh_result_is_taken_from_the_cache(engine, tmp_path):
    engine.reply = SERPER
    cache = SearchCache(str(tmp_path), 1.0)
    first = await search("serper", cache=cache)
    assert await search("serper", cache=cache) == first
    assert len(engine.seen) == 1
    await search("serper", "another", cache=cache)
    await search("serper", cache=SearchCache(str(tmp_path), 0.0))
    assert len(engine.seen) == 3


async def test_engines_are_asked_no_faster_than_allowed(engine):
    engine.reply = SERPER
    began = time.monotonic()
    for number in range(3):
        await search("serper", str(number), Limits(timeout=5, per_second=5))
    assert time.monotonic() - began > 0.35


def test_wikipedia_comes_first_where_it_is_preferred():
    hits = [Hit(url="https://a.example"), Hit(url="https://en.wikipedia.org/wiki/A")]
    assert wikipedia_first(hits, wikipedia=True) == hits[::-1]
    assert wikipedia_first(hits, wikipedia=False) == hits
    assert wikipedia_first([Hit(url="https://evilwikipedia.org.example/")], wikipedia=True)


def test_one_page_is_one_hit():
    urls = ["https://a.example/x", "http://www.a.example/x/", "https://a.example/x?p=2"]
    assert [hit.url for hit in distinct_pages(Hit(url=url) for url in urls)] == [urls[0], urls[2]]


def test_what_an_engine_does_not_say_is_no_document():
    assert engine_answers(SearchResult(query="q", engine="serper")) == []
