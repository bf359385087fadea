"""The web's search engines, each as one record of what it found."""

import hashlib
import html
import json
import os
import re
import time
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from errata.errors import SearchError, SettingError
from errata.records import Document, Hit, SearchResult, from_json, to_json
from errata.tools.net.http_client import request_json_blocking, request_json, wait_turn
from errata.tools.net.limits import Limits
from errata.tools.net.redaction import redact
from errata.tools.retrieval.retrieve import retrieve

HITS = 10
_MARKUP = re.compile(r"<[^>]+>")
Found = Mapping[str, Any]
Engine = Callable[[str, Limits], Awaitable[SearchResult]]


@dataclass(frozen=True)
class SearchCache:
    """Keep what engines found in a folder; without a folder, keep nothing."""

    folder: str = ""
    hours: float = 24.0

    def get(self, engine: str, query: str) -> SearchResult | None:
        """Give what was kept and is still fresh."""
        path = self._path(engine, query)
        if not self.folder or not path.is_file():
            return None
        kept = json.loads(path.read_text(encoding="utf-8"))
        fresh = time.time() - kept["at"] <= self.hours * 3600
        return from_json(SearchResult, kept["found"]) if fresh else None

    def put(self, found: SearchResult) -> None:
        """Keep what an engine found."""
        if self.folder:
            path = self._path(found.engine, found.query)
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = {"at": time.time(), "found": to_json(found)}
            written = path.with_suffix(f".{os.getpid()}.new")
            written.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
            written.replace(path)

    def _path(self, engine: str, query: str) -> Path:
        key = hashlib.sha256(f"{engine}\n{query}".encode()).hexdigest()[:24]
        return Path(self.folder, f"{key}.json")


def engine_for(spec: str) -> Engine:
    """Give the engine that a spec names.

    Raises SettingError where there is none of that name.
    """
    kind, _, rest = spec.partition(":")
    if kind == "corpus" and rest:
        return partial(_corpus, rest)
    if spec not in _ENGINES:
        raise SettingError(
            f"no search engine is called {spec!r}; "
            f"known are none, {', '.join(_ENGINES)}, corpus:DIR"
        )
    return _ENGINES[spec]


async def search_web(query: str, spec: str, limits: Limits, cache: SearchCache) -> SearchResult:
    """Search once, or give what a search of the same words found not long ago.

    Raises SearchError where the engine fails for good or its key is missing.
    """
    if (kept := await to_thread(cache.get, spec, query)) is not None:
        return kept
    engine = engine_for(spec)
    try:
        await wait_turn(spec, limits)
        found = await engine(query, limits)
    except SearchError as error:
        raise SearchError(f"{spec} failed: {redact(str(error))}") from error
    found = replace(found, engine=spec, hits=distinct_pages(found.hits))
    await to_thread(cache.put, found)
    return found


def distinct_pages(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Drop results that lead to a page already there."""
    by_page: dict[str, Hit] = {}
    for hit in hits:
        parts = urlsplit(hit.url)
        page = f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"
        by_page.setdefault(page, hit)
    return tuple(by_page.values())


def wikipedia_first(hits: Sequence[Hit], *, wikipedia: bool) -> list[Hit]:
    """Put pages of Wikipedia first, and otherwise keep the engine's order."""
    return sorted(hits, key=lambda hit: not (wikipedia and _wikipedia(hit.url)))


def _wikipedia(url: str) -> bool:
    return (urlsplit(url).hostname or "").endswith("wikipedia.org")


def engine_answers(found: SearchResult) -> list[Document]:
    """Give what the engine says by itself as documents."""
    said = {"answer box": found.answer_box, "knowledge graph": found.knowledge_graph}
    return [
        Document(text=text, title=f"{found.engine}: {name}", source="web")
        for name, text in said.items()
        if text
    ]


async def _corpus(folder: str, query: str, _: Limits) -> SearchResult:
    documents = await retrieve(query, folder, HITS)
    hits = tuple(Hit(url=d.url or f"corpus:{d.id}", title=d.title, text=d.text) for d in documents)
    return SearchResult(query=query, engine="corpus", hits=hits)


async def _serpapi(query: str, limits: Limits) -> SearchResult:
    """Ask SerpAPI through its own client, with a time limit and a look at the status."""
    found = await to_thread(_serpapi_found, query, limits)
    return _google(query, found, "organic_results", "answer_box", "knowledge_graph")


def _serpapi_found(query: str, limits: Limits) -> Found:
    from requests import RequestException
    from serpapi import SerpApiClient

    wanted = {"q": query, "num": HITS, "api_key": _key("SERPAPI_API_KEY")}
    client = SerpApiClient(wanted, engine="google", timeout=limits.timeout)
    client.BACKEND = os.environ.get("SERPAPI_BASE_URL", client.BACKEND)
    try:
        return request_json_blocking(partial(client.get_response, "/search.json"), limits)
    except RequestException as error:
        raise SearchError(f"{type(error).__name__} {error}") from error


async def _serper(query: str, limits: Limits) -> SearchResult:
    base = os.environ.get("SERPER_BASE_URL", "https://google.serper.dev")
    headers = {"X-API-KEY": _key("SERPER_API_KEY")}
    body = {"q": query, "num": HITS}
    found = await request_json("POST", f"{base}/search", limits, headers=headers, json=body)
    return _google(query, found, "organic", "answerBox", "knowledgeGraph")


async def _searxng(query: str, limits: Limits) -> SearchResult:
    base = _key("SEARXNG_URL")
    wanted = {"q": query, "format": "json"}
    found = await request_json("GET", f"{base.rstrip('/')}/search", limits, params=wanted)
    hits = [
        Hit(url=r["url"], title=r.get("title", ""), snippet=r.get("content") or "")
        for r in found.get("results", [])[:HITS]
        if r.get("url")
    ]
    answers = [
        a if isinstance(a, str) else str(a.get("answer", "")) for a in found.get("answers", [])
    ]
    return SearchResult(
        query=query, engine="searxng", hits=tuple(hits), answer_box="\n".join(filter(None, answers))
    )


async def _wikipedia_api(query: str, limits: Limits) -> SearchResult:
    api = os.environ.get("WIKIPEDIA_API_URL", "https://en.wikipedia.org/w/api.php")
    wanted = {"action": "query", "list": "search", "srlimit": HITS, "format": "json"}
    found = await request_json("GET", api, limits, params=wanted | {"srsearch": query.replace(",", "")})
    pages = api.removesuffix("/w/api.php") + "/wiki/"
    hits = [
        Hit(
            url=pages + quote(row["title"].replace(" ", "_")),
            title=row["title"],
            snippet=html.unescape(_MARKUP.sub("", row.get("snippet", ""))),
        )
        for row in found.get("query", {}).get("search", [])
    ]
    return SearchResult(query=query, engine="wikipedia", hits=tuple(hits))


def _google(query: str, found: Found, organic: str, box: str, graph: str) -> SearchResult:
    """Read the form that SerpAPI and Serper share."""
    if found.get("error") and not found.get(organic):
        raise SearchError(str(found["error"]))
    hits = tuple(
        Hit(url=row["link"], title=row.get("title", ""), snippet=row.get("snippet", ""))
        for row in found.get(organic, [])
        if row.get("link")
    )
    answer = found.get(box) or {}
    said = next((str(answer[k]) for k in ("answer", "snippet", "result") if answer.get(k)), "")
    return SearchResult(
        query=query, engine="", hits=hits, answer_box=said, knowledge_graph=_facts(found.get(graph))
    )


def _facts(graph: Any) -> str:
    """Write a knowledge graph's plain values, one a line."""
    pairs = (graph or {}).items()
    flat = [(k, v) for k, v in pairs if k != "attributes"] + list(
        ((graph or {}).get("attributes") or {}).items()
    )
    plain = ((name, value) for name, value in flat if isinstance(value, str | int | float))
    return "\n".join(f"{name}: {value}" for name, value in plain if "http" not in str(value))


def _key(name: str) -> str:
    """Read a key or an address from the environment."""
    if not os.environ.get(name):
        raise SearchError(f"the environment holds no {name}")
    return os.environ[name]


_ENGINES: dict[str, Engine] = {
    "serpapi": _serpapi,
    "serper": _serper,
    "searxng": _searxng,
    "wikipedia": _wikipedia_api,
}
