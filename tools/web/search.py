"""Web search: one query to one engine, its reply as a SearchResult, and what to make of hits."""

import asyncio
import html
import os
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import Parameter, signature
from typing import Any, Protocol, runtime_checkable
from urllib.parse import quote

from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool

from errata.core.errors import SearchError, SettingError, require
from errata.core.records import Document, Hit, SearchResult
from errata.core.urls import split_url
from errata.tools.files.decoding import without_surrogates
from errata.tools.net.endpoints import REPLY_BYTES, Limits, wait_turn
from errata.tools.net.faults import repeating
from errata.tools.net.redaction import redact
from errata.tools.retrieval.langchain import read_results
from errata.tools.retrieval.retrieve import retrieve
from errata.tools.text.marks import plain_url

HITS = 10
"""How many hits a search asks for where nothing else is said."""
Reply = Mapping[str, Any]
_TAG = re.compile(r"<[^>]+>")


@runtime_checkable
class HasResults(Protocol):
    """A search wrapper whose results are objects."""

    def results(self, query: str, *counts: int) -> Any:
        """What was found."""


@runtime_checkable
class Runs(Protocol):
    """A tool, or a search wrapper whose results are a text."""

    def run(self, query: str) -> Any:
        """What was found."""


Searcher = BaseRetriever | HasResults | Runs
"""What of LangChain's may search: a retriever, a wrapper or a tool."""
Engine = Callable[[str, Limits, int], Awaitable[SearchResult]]
"""Sends a query, within limits, for a number of hits."""


async def search_web(
    query: str, spec: str | Searcher, limits: Limits, count: int = HITS
) -> SearchResult:
    """Search once for about `count` distinct pages; raises SearchError if the engine fails."""
    name, engine = name_of_engine(spec), engine_for(spec)
    try:
        await wait_turn(name, limits.per_second)
        result = await engine(query, limits, count)
    except SearchError as error:
        raise SearchError(f"{name} failed: {redact(str(error))}") from error
    return replace(
        result,
        engine=name,
        hits=distinct_pages(map(_readable, result.hits)),
        answer_box=without_surrogates(result.answer_box),
        knowledge_graph=without_surrogates(result.knowledge_graph),
    )


def _readable(hit: Hit) -> Hit:
    """The hit as text, whatever the engine sent in its place, and without lone surrogates."""
    return Hit(**{name: without_surrogates(str(v or "")) for name, v in vars(hit).items()})


def distinct_pages(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The first hit for every page, and text of it, however its address is written."""
    by_page: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        by_page.setdefault((plain_url(hit.url), hit.text), hit)
    return tuple(by_page.values())


def wikipedia_first(hits: Sequence[Hit]) -> list[Hit]:
    """Pages of Wikipedia first, then the others, as the engine orders them."""
    return sorted(hits, key=lambda hit: not is_wikipedia(hit.url))


def is_wikipedia(url: str) -> bool:
    """Whether an address is one of Wikipedia's, in any language."""
    return f".{split_url(url).hostname}".endswith(".wikipedia.org")


def engine_answers(result: SearchResult) -> list[Document]:
    """The engine's answer box and knowledge graph as documents."""
    answers = {"answer box": result.answer_box, "knowledge graph": result.knowledge_graph}
    return [
        Document(text=text, title=f"{result.engine}: {name}", source="web")
        for name, text in answers.items()
        if text
    ]


def name_of_engine(search: str | Searcher) -> str:
    """What a search engine is called: its name, a tool's own, or the class of an object."""
    if isinstance(search, str):
        return search
    return search.name if isinstance(search, BaseTool) else type(search).__name__


def engine_for(spec: str | Searcher) -> Engine:
    """The engine for a name such as `serpapi`, for `corpus:DIR`, or for an object."""
    if not isinstance(spec, str):
        return partial(_search_by, spec)
    kind, _, rest = spec.partition(":")
    if kind == "corpus" and rest:
        return partial(_search_corpus, rest)
    if spec not in _ENGINES:
        raise SettingError(
            f"no search engine is called {spec!r}; "
            f"known are none, {', '.join(_ENGINES)}, corpus:DIR; and in Python LangChain's objects"
        )
    client = ["serpapi"] if spec == "serpapi" else []
    require(f"the search engine {spec!r}", "web", "trafilatura", *client)  # its pages are read
    return _ENGINES[spec]


async def _search_corpus(folder: str, query: str, _: Limits, count: int) -> SearchResult:
    documents = await retrieve(query, folder, count)
    hits = tuple(Hit(url=d.url or f"corpus:{d.id}", title=d.title, text=d.text) for d in documents)
    return SearchResult(query=query, engine="corpus", hits=hits)


async def _search_by(source: Any, query: str, limits: Limits, count: int) -> SearchResult:
    """Search by one of LangChain's objects, most of which have no time limit of their own."""
    name = name_of_engine(source)
    try:
        async with asyncio.timeout(limits.timeout):
            if isinstance(source, BaseRetriever | BaseTool):
                found = await source.ainvoke(query)
            else:
                found = await asyncio.to_thread(_ask_wrapper, source, query, count)
    except TimeoutError as error:
        raise SearchError(f"it took longer than {limits.timeout:g} s") from error
    except Exception as error:  # every class raises what its client raises
        reason = " ".join(str(error).split())[:500]
        raise SearchError(f"{type(error).__name__} {reason}") from error
    documents = [each for each in read_results(found, name, "corpus") if each.text.strip()]
    hits = tuple(
        Hit(url=d.url or f"{name}/{n}", title=d.title, text=d.text)
        if isinstance(source, BaseRetriever) or not d.url
        else Hit(url=d.url, title=d.title, snippet=d.text)
        for n, d in enumerate(documents[:count], start=1)
    )
    return SearchResult(query=query, engine=name, hits=hits)


def _ask_wrapper(source: Any, query: str, count: int) -> Any:
    """What a wrapper finds; it is told how many where it takes a number."""
    if not isinstance(source, HasResults):
        return source.run(query)
    _, *more = signature(source.results).parameters.values()
    takes_count = more and more[0].kind is Parameter.POSITIONAL_OR_KEYWORD
    return source.results(query, count) if takes_count else source.results(query)


async def _search_serpapi(query: str, limits: Limits, count: int) -> SearchResult:
    from serpapi import GoogleSearch

    key = _read_environment("SERPAPI_API_KEY")
    search = GoogleSearch({"q": query, "num": count, "api_key": key})
    search.BACKEND = os.environ.get("SERPAPI_BASE_URL", search.BACKEND)
    url, params = search.construct_url("/search.json")
    reply = await _request(url, limits, params=params)
    if reply.get("error") and not reply.get("organic_results"):
        raise SearchError(str(reply["error"]))
    return _read_google(query, reply)


async def _search_serper(query: str, limits: Limits, count: int) -> SearchResult:
    url = f"{os.environ.get('SERPER_BASE_URL', 'https://google.serper.dev')}/search"
    headers = {"X-API-KEY": _read_environment("SERPER_API_KEY")}
    body = {"q": query, "num": count}
    return _read_google(query, await _request(url, limits, "POST", headers=headers, json=body))


def _read_google(query: str, reply: Reply) -> SearchResult:
    """Google's hits, answer and knowledge, by SerpAPI's names for them or by Serper's."""
    rows = reply.get("organic_results") or reply.get("organic") or []
    answers = reply.get("answer_box") or reply.get("answerBox") or {}
    knowledge = reply.get("knowledge_graph") or reply.get("knowledgeGraph") or {}
    said = (answers[key] for key in ("answer", "snippet", "result") if answers.get(key))
    facts = "\n".join(
        f"{name}: {value}"
        for name, value in {**knowledge, **(knowledge.get("attributes") or {})}.items()
        if isinstance(value, str | int | float) and "http" not in str(value)
    )
    answer, hits = str(next(said, "")), _hits(rows, "link", "snippet")
    return SearchResult(
        query=query, engine="google", hits=hits, answer_box=answer, knowledge_graph=facts
    )


async def _search_searxng(query: str, limits: Limits, count: int) -> SearchResult:
    base = _read_environment("SEARXNG_URL").rstrip("/")
    params = {"q": query, "format": "json"}
    reply = await _request(f"{base}/search", limits, params=params)
    hits = _hits(reply.get("results", [])[:count], "url", "content")
    said = (a if isinstance(a, str) else str(a.get("answer", "")) for a in reply.get("answers", []))
    answer = "\n".join(filter(None, said))
    return SearchResult(query=query, engine="searxng", hits=hits, answer_box=answer)


async def _search_wikipedia(query: str, limits: Limits, count: int) -> SearchResult:
    api = os.environ.get("WIKIPEDIA_API_URL", "https://en.wikipedia.org/w/api.php")
    params = {"action": "query", "list": "search", "srlimit": count, "format": "json"}
    params["srsearch"] = query.replace(",", "")
    reply = await _request(api, limits, params=params)
    pages = api.removesuffix("/w/api.php") + "/wiki/"
    hits = tuple(
        Hit(
            url=pages + quote(row["title"].replace(" ", "_")),
            title=row["title"],
            snippet=html.unescape(_TAG.sub("", row.get("snippet", ""))),
        )
        for row in reply.get("query", {}).get("search", [])
    )
    return SearchResult(query=query, engine="wikipedia", hits=hits)


async def _request(url: str, limits: Limits, method: str = "GET", **options: Any) -> Reply:
    """Send a request, and again after a failure that may pass; the JSON object in the response."""
    import httpx2

    from errata.tools.net.bounded import bounded

    async def attempt() -> Any:
        response = await client.request(method, url, **options)
        return response.raise_for_status().json()

    try:
        async with httpx2.AsyncClient(timeout=limits.timeout, **bounded(REPLY_BYTES)) as client:
            body: Any = await repeating(limits.retries + 1)(attempt)
    except httpx2.HTTPStatusError as error:
        response = error.response
        raise SearchError(f"it answered {response.status_code}: {response.text[:200]}") from error
    except httpx2.HTTPError as error:
        raise SearchError(f"{type(error).__name__} {error}".strip()) from error
    except ValueError as error:
        raise SearchError(f"its answer is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise SearchError(f"its answer is a {type(body).__name__}, not a JSON object")
    return body


def _hits(rows: Sequence[Reply], link: str, snippet: str) -> tuple[Hit, ...]:
    """The rows that have a link, by the names that an engine has for a link and a snippet."""
    return tuple(
        Hit(url=row[link], title=row.get("title", ""), snippet=row.get(snippet) or "")
        for row in rows
        if row.get(link)
    )


def _read_environment(name: str) -> str:
    """The value of an environment variable that an engine needs: its key or address."""
    if not os.environ.get(name):
        raise SearchError(f"{name} is not set in the environment")
    return os.environ[name]


_ENGINES: dict[str, Engine] = {
    "serpapi": _search_serpapi,
    "serper": _search_serper,
    "searxng": _search_searxng,
    "wikipedia": _search_wikipedia,
}
