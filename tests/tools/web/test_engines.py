"""Search engines, each over loopback in its own wire format."""

import pytest

from errata.core.errors import SearchError, SettingError
from errata.core.records import Hit
from errata.tools.net.limits import Limits
from errata.tools.web.engines import HITS, engine_for

QUERY = "Marie Curie, born"
HIT = Hit(url="https://a.example/1", title="One", snippet="first")
SERPAPI = {
    "organic_results": [
        {"link": "https://a.example/1", "title": "One", "snippet": "first"},
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


async def search(name):
    return await engine_for(name)(QUERY, Limits(timeout=5), HITS)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "reply", "answer", "graph", "parameters"),
    [
        (
            "serpapi",
            SERPAPI,
            "7 November 1867",
            "title: Marie Curie\nborn: 1867",
            {"q": QUERY, "num": "10", "engine": "google"},
        ),
        ("serper", SERPER, "in 1867", "title: Marie Curie\nBorn: 1867", {"q": QUERY, "num": 10}),
        ("searxng", SEARXNG, "in 1867\non 7 November", "", {"q": QUERY, "format": "json"}),
    ],
)
async def test_a_reply_becomes_a_result(server, name, reply, answer, graph, parameters):
    server.reply = reply
    result = await search(name)
    assert result.hits == (HIT,)
    assert (result.answer_box, result.knowledge_graph) == (answer, graph)
    assert server.requests[0].items() >= parameters.items()


@pytest.mark.anyio
async def test_wikipedia_snippets_lose_their_markup(server):
    server.reply = WIKIPEDIA
    result = await search("wikipedia")
    url = f"{server.address}/wiki/Marie_Curie"
    assert result.hits == (Hit(url=url, title="Marie Curie", snippet="was born & raised"),)
    assert server.requests[0]["srsearch"] == "Marie Curie born"


@pytest.mark.anyio
async def test_a_folder_may_serve_as_the_web(root):
    result = await search(f"corpus:{root / 'demo' / 'corpus'}")
    assert result.hits[0].title == "Marie Curie"
    assert "7 November 1867" in result.hits[0].text


@pytest.mark.anyio
async def test_an_error_in_a_successful_response_is_an_error(server):
    server.reply = {"error": "out of searches"}
    with pytest.raises(SearchError, match="out of searches"):
        await search("serpapi")


@pytest.mark.anyio
async def test_an_answer_that_never_ends_is_an_error_at_once(server):
    server.plan = ["flooded", "flooded"]
    with pytest.raises(SearchError, match="larger than 5000000 bytes"):
        await search("serper")
    assert len(server.requests) == 1


def test_an_unknown_engine_is_an_error():
    with pytest.raises(
        SettingError, match="known are none, serpapi, serper, searxng, wikipedia, corpus"
    ):
        engine_for("altavista")
