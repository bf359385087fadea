"""Web pages read as text: concurrently, within limits, and only from public addresses."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import urljoin

from errata.errors import PageError
from errata.records import Document, Hit
from errata.tools.net.safe_urls import resolve_public
from errata.tools.net.tls import tls_context
from errata.tools.text.main_text import extract_main_text
from errata.tools.text.page_parser import Page, ParseLimits, aparse_page

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
    [text] = await _read_texts([hit], limits)
    if isinstance(text, BaseException):
        raise text
    return _as_document(hit, text)


async def read_pages(hits: Sequence[Hit], limits: PageLimits) -> tuple[list[Document], list[str]]:
    """Read the pages of search hits concurrently; also a note for each that fails.

    A page that fails falls back to its search snippet; without one it is left out.
    """
    texts = await _read_texts(hits, limits)
    documents, notes = [], []
    for hit, text in zip(hits, texts, strict=True):
        if isinstance(text, PageError):
            notes.append(f"{text}; its search snippet was used" if hit.snippet else str(text))
        elif isinstance(text, BaseException):
            raise text
        body = hit.snippet if isinstance(text, BaseException) else text
        if body.strip():
            documents.append(_as_document(hit, body))
    return documents, notes


async def _read_texts(hits: Sequence[Hit], limits: PageLimits) -> list[str | BaseException]:
    import httpx2

    agent = f"errata/{version('errata')} (checks facts; reads single pages)"
    async with httpx2.AsyncClient(
        headers={"User-Agent": agent}, timeout=limits.seconds, trust_env=False, verify=tls_context()
    ) as client:
        return await asyncio.gather(
            *(_read_text(client, hit, limits) for hit in hits), return_exceptions=True
        )


def _as_document(hit: Hit, text: str) -> Document:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Document(text=text, title=hit.title, url=hit.url, source="web", retrieved_at=now)


async def _read_text(client: Any, hit: Hit, limits: PageLimits) -> str:
    """The main text of a page.

    Raises PageError if it cannot be read within the limits, or has no text.
    """
    from httpx2 import HTTPError, InvalidURL

    if hit.text:
        return hit.text
    try:
        async with asyncio.timeout(limits.seconds):
            media_type, body = await _fetch(client, hit.url, limits)
            text = await _parse(Page(media_type, body, hit.url), limits)
    except TimeoutError as error:
        raise PageError(f"{hit.url!r} took longer than {limits.seconds:g} s") from error
    except (HTTPError, InvalidURL) as error:
        raise PageError(f"{hit.url!r}: {type(error).__name__} {error}".strip()) from error
    if not text.strip():
        raise PageError(f"{hit.url!r} has no text")
    return text


async def _parse(page: Page, limits: PageLimits) -> str:
    if page.kind == "text/plain":
        return extract_main_text(page.kind, page.content)
    return await aparse_page(page, ParseLimits(limits.seconds, text_size=limits.size))


async def _fetch(client: Any, url: str, limits: PageLimits) -> tuple[str, bytes]:
    """Media type and body of a page; the address is checked again at every redirect."""
    for _ in range(MAX_REDIRECTS + 1):
        async with await _request(client, url) as response:
            if not response.has_redirect_location:
                return await _read_body(response, url, limits)
            url = urljoin(url, response.headers["location"])
    raise PageError(f"{url!r} is behind more than {MAX_REDIRECTS} redirects")


async def _request(client: Any, url: str) -> Any:
    """Request a page from its checked IP address; the Host header and TLS keep the host name."""
    from httpx2 import URL

    target = URL(url)
    return client.stream(
        "GET",
        target.copy_with(host=await resolve_public(url)),
        headers={"Host": target.netloc.decode()},
        extensions={"sni_hostname": target.host},
    )


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
