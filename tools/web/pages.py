"""Web pages read as text: concurrently, within limits, and only from public addresses."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from errata.core.errors import PageError, require
from errata.core.limits import current_run
from errata.core.records import Document, Hit
from errata.tools.files.page_parser import PageLimits, RawPage, aparse_page
from errata.tools.text.marks import plain_url

MAX_REDIRECTS = 5
AT_ONCE = 10
"""Pages that are read at the same time; each has its whole time."""
_REFUSALS = {404: "dead", 410: "dead", 402: "paywalled"}
_REFUSALS |= dict.fromkeys((401, 403, 407, 429, 451), "blocked")
_PAYWALL = re.compile(rb"\"isAccessibleForFree\"\s*:\s*\"?false", re.IGNORECASE)
"""What pages behind a paywall say of themselves, by schema.org."""
Status = Literal["open", "moved", "paywalled"]
MEDIA_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/pdf")


class Opened(NamedTuple):
    """A page that could be read."""

    document: Document
    status: Status
    """Whether it stands at its address, elsewhere by now, or in part behind a paywall."""
    address: str


async def read_pages(
    hits: Sequence[Hit], limits: PageLimits, cache: str = ""
) -> tuple[list[Document], list[str]]:
    """Read the pages of search hits concurrently; also a note for each that fails.

    `cache` is a file of pages that processes may share. A page that fails falls back to its search
    snippet; without one it is left out.
    """
    documents, notes = [], []
    for hit, page in zip(hits, await _read_all(hits, limits, cache), strict=True):
        if isinstance(page, PageError):
            notes.append(f"{page}; its search snippet was used" if hit.snippet else str(page))
        document = page.document if isinstance(page, Opened) else _as_document(hit, hit.snippet)
        if document.text.strip():
            documents.append(document)
    return documents, notes


async def open_pages(
    urls: Sequence[str], limits: PageLimits, cache: str = ""
) -> list[Opened | PageError]:
    """Each page, or why there is none; raises SettingError if a package is missing."""
    if urls:
        require(repr(urls[0]), "web", "trafilatura")
    return await _read_all([Hit(url=url) for url in urls], limits, cache)


async def _read_all(
    hits: Sequence[Hit], limits: PageLimits, cache: str
) -> list[Opened | PageError]:
    import httpx2

    from errata.tools.net.bounded import bounded
    from errata.tools.web.transport import open_transport

    agent = f"errata/{version('errata')} (checks facts; reads single pages)"
    turn = asyncio.Semaphore(AT_ONCE)

    async def read_in_turn(hit: Hit) -> Opened | PageError:
        try:
            async with turn:
                seconds = min(limits.seconds, current_run().seconds_left)
                return await _read(client, hit, replace(limits, seconds=seconds))
        except PageError as error:
            return error

    async with httpx2.AsyncClient(
        headers={"User-Agent": agent},
        timeout=limits.seconds,
        trust_env=False,
        follow_redirects=True,
        max_redirects=MAX_REDIRECTS,
        transport=await open_transport(cache, limits.size),
        **bounded(limits.size),
    ) as client:
        return await asyncio.gather(*map(read_in_turn, hits))


def _as_document(hit: Hit, text: str, retrieved: str = "", dated: str = "") -> Document:
    """A text as a document; where nothing says when it was retrieved, it was now."""
    moment = retrieved or datetime.now(UTC).isoformat(timespec="seconds")
    page = Document(text=text, title=hit.title, url=hit.url, source="web", retrieved_at=moment)
    return replace(page, dated=dated)


async def _read(client: Any, hit: Hit, limits: PageLimits) -> Opened:
    """The main text of a page; raises PageError if it has none, or not within the limits."""
    from httpx2 import HTTPError, InvalidURL

    if hit.text:
        return Opened(_as_document(hit, hit.text), "open", hit.url)
    try:
        async with asyncio.timeout(limits.seconds):
            page, retrieved, address = await _fetch(client, hit.url)
            text, dated = await aparse_page(page, limits)
    except TimeoutError as error:
        raise PageError(f"{hit.url!r} took longer than {limits.seconds:g} s") from error
    except (HTTPError, InvalidURL) as error:
        raise PageError(f"{hit.url!r}: {type(error).__name__} {error}".strip()) from error
    if not text.strip():
        raise PageError(f"{hit.url!r} has no text")
    status: Status = "open" if plain_url(hit.url) == plain_url(address) else "moved"
    status = "paywalled" if _PAYWALL.search(page.content) else status
    return Opened(_as_document(hit, text, retrieved, dated), status, address)


async def _fetch(client: Any, url: str) -> tuple[RawPage, str, str]:
    """A page, when it was retrieved, and the address that it was found at."""
    from errata.tools.web.transport import RETRIEVED

    async with client.stream("GET", url) as response:
        if response.status_code != 200:  # noqa: PLR2004
            kind = _REFUSALS.get(response.status_code, "failed")
            raise PageError(f"{url!r} answered {response.status_code}").of_kind(kind)
        header = response.headers.get("content-type", "text/html")
        media_type = header.partition(";")[0].strip().lower()
        if media_type not in MEDIA_TYPES:
            raise PageError(f"{url!r} has the media type {media_type!r}, which is not supported")
        body = await response.aread()
        address = str(response.url) if response.history else url
        return RawPage(media_type, body, url), response.headers[RETRIEVED], address
