"""Pages of the web, read as text: concurrently, within limits, and only from public addresses."""

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

REDIRECTS = 5
KINDS = ("text/html", "application/xhtml+xml", "text/plain", "application/pdf")


@dataclass(frozen=True)
class PageLimits:
    """Bound what one page may cost."""

    seconds: float = 10.0
    """How long reading it may take, redirects included."""
    size: int = 5_000_000
    """How many bytes it may have."""


async def read_pages(hits: Sequence[Hit], limits: PageLimits) -> tuple[list[Document], list[str]]:
    """Read pages all at once; give also a note for each that could not be read.

    Such a page is stood in for by what the search engine showed of it.
    """
    import httpx2

    agent = f"errata/{version('errata')} (checks facts; reads single pages)"
    async with httpx2.AsyncClient(
        headers={"User-Agent": agent}, timeout=limits.seconds, trust_env=False, verify=tls_context()
    ) as client:
        texts = await asyncio.gather(
            *(_read(client, hit, limits) for hit in hits), return_exceptions=True
        )
    documents, notes = [], []
    for hit, text in zip(hits, texts, strict=True):
        if isinstance(text, PageError):
            notes.append(f"{text}; its search snippet was used" if hit.snippet else str(text))
        elif isinstance(text, BaseException):
            raise text
        body = hit.snippet if isinstance(text, BaseException) else text
        if body.strip():
            documents.append(_document(hit, body))
    return documents, notes


def _document(hit: Hit, text: str) -> Document:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Document(text=text, title=hit.title, url=hit.url, source="web", retrieved_at=now)


async def _read(client: Any, hit: Hit, limits: PageLimits) -> str:
    """Give a page's main text.

    Raises PageError where it cannot be had within the limits.
    """
    from httpx2 import HTTPError, InvalidURL

    if hit.text:
        return hit.text
    try:
        async with asyncio.timeout(limits.seconds):
            kind, content = await _fetched(client, hit.url, limits)
            text = await asyncio.to_thread(extract_main_text, kind, content, hit.url)
    except TimeoutError as error:
        raise PageError(f"{hit.url!r} took longer than {limits.seconds:g} s") from error
    except (HTTPError, InvalidURL) as error:
        raise PageError(f"{hit.url!r}: {type(error).__name__} {error}".strip()) from error
    if not text.strip():
        raise PageError(f"{hit.url!r} holds no text")
    return text


async def _fetched(client: Any, url: str, limits: PageLimits) -> tuple[str, bytes]:
    """Fetch a page, checking the address at every redirect; give its kind and its bytes."""
    for _ in range(REDIRECTS + 1):
        async with await _opened(client, url) as response:
            if not response.has_redirect_location:
                return await _body(response, url, limits)
            url = urljoin(url, response.headers["location"])
    raise PageError(f"{url!r} is behind more than {REDIRECTS} redirects")


async def _opened(client: Any, url: str) -> Any:
    """Ask the checked address for a page; the host stays in the header and in TLS."""
    from httpx2 import URL

    named = URL(url)
    return client.stream(
        "GET",
        named.copy_with(host=await resolve_public(url)),
        headers={"Host": named.netloc.decode()},
        extensions={"sni_hostname": named.host},
    )


async def _body(response: Any, url: str, limits: PageLimits) -> tuple[str, bytes]:
    if response.status_code != 200:  # noqa: PLR2004
        raise PageError(f"{url!r} answered {response.status_code}")
    kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if kind not in KINDS:
        raise PageError(f"{url!r} is of the kind {kind!r}, which is not read")
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > limits.size:
            raise PageError(f"{url!r} is larger than {limits.size} bytes")
    return kind, bytes(content)
