"""Web search: one query to one engine or the cache, and what to make of its hits."""

import hashlib
import json
import time
from asyncio import to_thread
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from errata.core.errors import SearchError
from errata.core.jsonable import from_json, to_json
from errata.core.limits import note_undone
from errata.core.records import Document, Hit, SearchResult
from errata.core.urls import split_url
from errata.tools.files.decoding import without_surrogates
from errata.tools.net.endpoints import Limits, wait_turn
from errata.tools.net.redaction import redact
from errata.tools.net.sqlite_store import SqliteStore, StoreError, open_store
from errata.tools.web.engines import HITS, Searcher, engine_for, name_of_engine

SEARCHES = "searches.sqlite"
"""The file in a folder of searches."""


@dataclass(frozen=True)
class SearchCache:
    """Search results in a folder, by engine, query and count of hits; without one, no cache."""

    folder: str = ""
    hours: float = 24.0
    """Age at which a result is out of date."""

    def get(self, engine: str, query: str, count: int) -> SearchResult | None:
        """The cached result; None if there is none, or it is out of date or damaged."""
        if not self.folder:
            return None
        key = _key(engine, query, count)
        try:
            value = self._store.get(key, time.time() - self.hours * 3600)
            found = from_json(SearchResult, json.loads(value)) if value else None
        except (StoreError, ValueError, LookupError, TypeError):
            return None
        return found

    def put(self, result: SearchResult, count: int) -> None:
        """Store the result of a search for `count` hits under its engine and query.

        Raises StoreError if the folder cannot be written.
        """
        if self.folder:
            value = json.dumps(to_json(result)).encode()
            key = _key(result.engine, result.query, count)
            self._store.put(key, value)

    @property
    def _store(self) -> SqliteStore:
        return open_store(str(Path(self.folder, SEARCHES)))


def _key(engine: str, query: str, count: int) -> str:
    return hashlib.sha256(f"{engine}\n{query}\n{count}".encode()).hexdigest()


async def search_web(
    query: str, spec: str | Searcher, limits: Limits, cache: SearchCache, count: int = HITS
) -> SearchResult:
    """Search once, or take the result from the cache; about `count` hits, all distinct pages.

    Raises SettingError if the spec names no engine, SearchError if the engine fails or its key is
    missing.
    """
    name = name_of_engine(spec)
    if (cached_result := await to_thread(cache.get, name, query, count)) is not None:
        return cached_result
    engine = engine_for(spec)
    try:
        await wait_turn(name, limits.per_second)
        result = await engine(query, limits, count)
    except SearchError as error:
        raise SearchError(f"{name} failed: {redact(str(error))}") from error
    result = replace(
        result,
        engine=name,
        hits=distinct_pages(map(_readable, result.hits)),
        answer_box=without_surrogates(result.answer_box),
        knowledge_graph=without_surrogates(result.knowledge_graph),
    )
    try:
        await to_thread(cache.put, result, count)
    except StoreError as error:
        note_undone(f"the search was not cached in {cache.folder!r}: {error}")
    return result


def _readable(hit: Hit) -> Hit:
    """The hit as text, whatever the engine sent in its place, and without lone surrogates."""
    return Hit(**{name: without_surrogates(str(v or "")) for name, v in vars(hit).items()})


def distinct_pages(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The first hit for every page; scheme, `www.` and a final slash make no difference.

    Hits that bring their text are passages: of these one file can have many.
    """
    by_page: dict[str, Hit] = {}
    for hit in hits:
        parts = split_url(hit.url)
        page = f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"
        by_page.setdefault(f"{page}#{parts.fragment}" if hit.text else page, hit)
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
