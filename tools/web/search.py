"""Web search: one query to one engine, and what to make of its hits."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from errata.core.errors import SearchError
from errata.core.records import Document, Hit, SearchResult
from errata.core.urls import split_url
from errata.tools.files.decoding import without_surrogates
from errata.tools.net.endpoints import Limits, wait_turn
from errata.tools.net.redaction import redact
from errata.tools.web.engines import HITS, Searcher, engine_for, name_of_engine


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
