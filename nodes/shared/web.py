"""Search the web, and read what was found, at a run's cost and within its limits."""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace

from errata.core.budgets import Cost, admit_some
from errata.core.errors import BudgetError, OutOfTimeError, SearchError
from errata.core.limits import current_bounds, in_time
from errata.core.records import Document, Hit, SearchResult, Usage
from errata.nodes.ledger import note, note_once, note_unpaid, spend
from errata.nodes.paying import pay_for_search
from errata.nodes.search import SearchContext
from errata.tools.retrieval.filters import drop_domains
from errata.tools.web.pages import PageLimits, read_pages
from errata.tools.web.search import search_web


async def find_hits(
    query: str, context: SearchContext, role: str, count: int
) -> SearchResult | None:
    """What the engine answers to a query, without blocked sites; None, with a note, if it fails."""
    try:
        async with in_time():
            found = await _search(query, context, role, count)
    except BudgetError as error:
        note_unpaid(error)
        return None
    except (SearchError, OutOfTimeError) as error:
        note_once(str(error))
        return None
    return replace(found, hits=tuple(drop_domains(found.hits, context.blocked_domains)))


async def _search(query: str, context: SearchContext, role: str, count: int) -> SearchResult:
    """What the cache holds, which is not paid for, or the engine answers."""
    engine, cache = context.search, context.cache
    if (known := await to_thread(cache.get, engine, query, count)) is not None:
        spend(Usage(by_role={role: {"cached_searches": 1}}))
        return known
    with pay_for_search(context, role, engine):
        return await search_web(query, engine, context.limits, cache, count)


def snippets(result: SearchResult) -> list[Document]:
    """What an engine shows of its results, as documents with their addresses."""
    texts = ((hit, hit.text or hit.snippet) for hit in result.hits)
    return [
        Document(text=text, title=hit.title, url=hit.url, source="web")
        for hit, text in texts
        if text.strip()
    ]


async def read_hits(hits: Sequence[Hit], context: SearchContext, role: str) -> list[Document]:
    """The pages of hits, all at once; what cannot be read is noted.

    Of a hit whose page no budget allows to read, what the engine shows is taken.
    """
    wanted = sum(not hit.text for hit in hits)
    with admit_some("pages", wanted) as admission:
        shown = _affordable(hits, admission.reserved.pages)
        pages = await _read(shown, context)
        read = len(pages) - sum(bool(hit.text.strip()) for hit in shown)
        admission.paid = Cost(pages=read)
        spend(Usage(pages=read, by_role={role: {"pages": read}}))
    if admission.fault:
        note_unpaid(admission.fault)
    return pages


def _affordable(hits: Sequence[Hit], pages: int) -> list[Hit]:
    """The hits, of which so many are read; the others with their snippets as their texts."""
    shown = list[Hit]()
    for hit in hits:
        pages -= not hit.text
        readable = hit if hit.text or pages >= 0 else replace(hit, text=hit.snippet)
        shown += [readable] if readable.text or pages >= 0 else []
    return shown


async def _read(hits: Sequence[Hit], context: SearchContext) -> list[Document]:
    seconds = min(context.page_timeout, current_bounds().seconds_left)
    limits = PageLimits(seconds=seconds, size=context.page_bytes)
    pages, notes = await read_pages(hits, limits, context.pages)
    note(*notes)
    return pages
