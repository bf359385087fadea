"""Web pages read as text: concurrently, within limits, and only from public addresses."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import urljoin

from errata.core.errors import PageError
from errata.core.records import Document, Hit
from errata.tools.files.main_text import extract_main_text
from errata.tools.files.page_parser import Page, ParseLimits, aparse_page
from errata.tools.net.safe_urls import resolve_public
from errata.tools.web.caches import PageCache

MAX_REDIRECTS = 5
MEDIA_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/pdf")


@dataclass(frozen=True)
class PageLimits:
    """Limits on reading one page."""

    seconds: float = 10.0
    """Time for the whole page, redirects included."""
    size: int = 5_000_000
    """Largest body in bytes."""


async def read_page(url: str, limits: PageLimits) -> Document:
    """One page of the web as a document.

    Raises PageError if it cannot be read within the limits, is not public, or has no text.
    """
    hit = Hit(url=url)
    [page] = await _read_all([hit], limits, PageCache())
    if isinstance(page, BaseException):
        raise page
    return page


async def read_pages(
    hits: Sequence[Hit],
    limits: PageLimits,
    cache: PageCache = PageCache(),  # noqa: B008  it is frozen
) -> tuple[list[Document], list[str]]:
    """Read the pages of search hits concurrently; also a note for each that fails.

    A page that fails falls back to its search snippet; without one it is left out.
    """
    documents, notes = [], []
    for hit, page in zip(hits, await _read_all(hits, limits, cache), strict=True):
        if isinstance(page, PageError):
            notes.append(f"{page}; its search snippet was used" if hit.snippet else str(page))
        elif isinstance(page, BaseException):
            raise page
        document = page if isinstance(page, Document) else _as_document(hit, hit.snippet)
        if document.text.strip():
            documents.append(document)
    return documents, notes


async def _read_all(
    hits: Sequence[Hit], limits: PageLimits, cache: PageCache
) -> list[Document | BaseException]:
    import httpx2

    agent = f"errata/{version('errata')} (checks facts; reads single pages)"
    transport = cache.transport(limits.size)
    async with httpx2.AsyncClient(
        headers={"User-Agent": agent}, timeout=limits.seconds, trust_env=False, transport=transport
    ) as client:
        return await asyncio.gather(
            *(_read(client, hit, limits) for hit in hits), return_exceptions=True
        )


def _as_document(hit: Hit, text: str, retrieved: str = "") -> Document:
    """A text as a document; where nothing says when it was retrieved, it was now."""
    when = retrieved or datetime.now(UTC).isoformat(timespec="seconds")
    return Document(text=text, title=hit.title, url=hit.url, source="web", retrieved_at=when)


async def _read(client: Any, hit: Hit, limits: PageLimits) -> Document:
    """The main text of a page.

    Raises PageError if it cannot be read within the limits, or has no text.
    """
    from httpx2 import HTTPError, InvalidURL

    if hit.text:
        return _as_document(hit, hit.text)
    try:
        async with asyncio.timeout(limits.seconds):
            page, retrieved = await _fetch(client, hit.url, limits)
            text = await _parse(page, limits)
    except TimeoutError as error:
        raise PageError(f"{hit.url!r} took longer than {limits.seconds:g} s") from error
    except (HTTPError, InvalidURL) as error:
        raise PageError(f"{hit.url!r}: {type(error).__name__} {error}".strip()) from error
    if not text.strip():
        raise PageError(f"{hit.url!r} has no text")
    return _as_document(hit, text, retrieved)


async def _parse(page: Page, limits: PageLimits) -> str:
    if page.kind == "text/plain":
        return extract_main_text(page.kind, page.content)
    return await aparse_page(page, ParseLimits(limits.seconds, text_size=limits.size))


async def _fetch(client: Any, url: str, limits: PageLimits) -> tuple[Page, str]:
    """A page, and when it was retrieved if the cache says so.

    The address is checked again at every redirect.
    """
    target = url
    for _ in range(MAX_REDIRECTS + 1):
        async with await _request(client, target) as response:
            if not response.has_redirect_location:
                media_type, body = await _read_body(response, target, limits)
                return Page(media_type, body, url), _retrieved(response)
            location = response.headers["location"]
        try:
            target = urljoin(target, location)
        except ValueError as error:
            fault = f"{target!r} leads to {location!r:.200}, which is no address"
            raise PageError(fault) from error
    raise PageError(f"{target!r} is behind more than {MAX_REDIRECTS} redirects")


def _retrieved(response: Any) -> str:
    """When a response that went through the cache came from its server; else empty."""
    from errata.tools.web.checked import RETRIEVED

    # Without the cache the header could only be a server's own.
    return response.headers.get(RETRIEVED, "") if "caching" in response.extensions else ""


async def _request(client: Any, url: str) -> Any:
    """Request a page of a host whose address was checked, even where the cache holds the page."""
    from httpx2 import URL

    from errata.tools.web.checked import ADDRESS

    target = URL(url)
    checked = {ADDRESS: await resolve_public(url), "sni_hostname": target.host}
    return client.stream("GET", target, extensions=checked)


async def _read_body(response: Any, url: str, limits: PageLimits) -> tuple[str, bytes]:
    if response.status_code != 200:  # noqa: PLR2004
        raise PageError(f"{url!r} answered {response.status_code}")
    media_type = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if media_type not in MEDIA_TYPES:
        raise PageError(f"{url!r} has the media type {media_type!r}, which is not supported")
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > limits.size:
            raise PageError(f"{url!r} is larger than {limits.size} bytes")
    return media_type, bytes(body)
