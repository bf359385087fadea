"""How requests for pages leave: to checked addresses, and through a cache if there is one."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import formatdate, parsedate_to_datetime
from functools import partial
from typing import Self
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from hishel import AsyncBaseStorage, CacheOptions, Entry, Headers, Request, Response
from hishel.httpx2 import AsyncCacheTransport
from httpx2 import AsyncBaseTransport, AsyncHTTPTransport
from httpx2 import Headers as SentHeaders
from httpx2 import Request as Sent
from httpx2 import Response as Received
from pydantic import TypeAdapter

from errata.core.errors import PageError
from errata.tools.net.bounded import tls_context
from errata.tools.net.sqlite_store import Entry as Kept
from errata.tools.net.stores import Store, attempt

ADDRESS = "errata_address"
"""The extension of a request that holds the IP address that its host was checked to be at."""
RETRIEVED = "x-errata-retrieved"
"""The header of a kept response that holds when its server sent it, or called it unchanged."""
_OK, _UNCHANGED = 200, 304
_HEADERS = TypeAdapter(tuple[dict[str, list[str]], dict[str, list[str]]])
_try = partial(attempt, "the page cache cannot be used: {}; pages are not kept")
_SAYS = re.compile(r"\b(?:max-age|no-cache|no-store)\b", re.IGNORECASE)


class CheckedTransport(AsyncBaseTransport):
    """Connects to the address that was checked, whatever the host's name leads to by now."""

    def __init__(self, hours: float | None = None) -> None:
        """For a cache, `hours` say how long a page is fresh of which its server says nothing."""
        self._inner = AsyncHTTPTransport(verify=tls_context(), trust_env=False)
        self._hours = hours

    async def handle_async_request(self, request: Sent) -> Received:
        """Send a request; its Host header and its TLS name stay those of its URL.

        Raises PageError if nobody checked its host.
        """
        address = request.extensions.get(ADDRESS)
        if not address:
            raise PageError(f"{str(request.url)!r} was not checked for a private address")
        target = request.url.copy_with(host=address)
        parts = {name: getattr(request, name) for name in ("headers", "stream", "extensions")}
        response = await self._inner.handle_async_request(Sent(request.method, target, **parts))
        if self._hours is not None:
            say_how_long(response.status_code, response.headers, int(self._hours * 3600))
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def say_how_long(status: int, headers: SentHeaders, seconds: int) -> None:
    """Have a response's headers say how long it is fresh: `seconds` where its server does not.

    Only pages are to be kept, and no cookie of theirs.
    """
    headers[RETRIEVED] = datetime.now(UTC).isoformat(timespec="seconds")
    if status not in (_OK, _UNCHANGED):
        headers["cache-control"] = "no-store"
    elif status == _OK:
        headers.pop("set-cookie", None)
        # With no date, or a later one, a page would stay new for too long.
        if not _is_past(headers.get_list("date")):
            headers["date"] = formatdate(usegmt=True)
        told = headers.get("cache-control", headers.get("pragma", ""))
        if not _SAYS.search(told) and "expires" not in headers:
            told = f"{told}, max-age={seconds}".removeprefix(", ")
        headers["cache-control"] = told


def _is_past(dates: list[str]) -> bool:
    """Whether there is one date, and it is no later than now."""
    try:
        return len(dates) == 1 and parsedate_to_datetime(dates[0]) <= datetime.now(UTC)
    except (ValueError, TypeError):
        return False


@dataclass(frozen=True)
class KeptPage:
    """One response as it came, and what was asked."""

    id: UUID
    url: str
    asked: dict[str, list[str]]
    """The request's headers."""
    headers: dict[str, list[str]]
    body: bytes

    @classmethod
    def read(cls, entry: Kept | None) -> Self | None:
        """A response from what a store keeps; None if it is damaged, or of another form."""
        head, _, body = entry.value.partition(b"\n") if entry else (b"", b"", b"")
        try:
            values = json.loads(head)
            asked, headers = _HEADERS.validate_python([values["asked"], values["headers"]])
            return cls(UUID(values["id"]), str(values["url"]), asked, headers, body)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None

    @property
    def entry(self) -> Kept:
        """What a store keeps of it, counted by its host."""
        head = {"id": self.id.hex, "url": self.url, "asked": self.asked, "headers": self.headers}
        value = json.dumps(head).encode() + b"\n" + self.body
        return Kept(value, {"host": urlsplit(self.url).hostname or ""})


class PageStorage(AsyncBaseStorage):
    """hishel's storage in our store; one that fails is noted, and pages are read without it."""

    def __init__(self, store: Store, largest: int) -> None:
        """Keep pages of at most `largest` bytes."""
        super().__init__(max_stream_size=largest)
        self._store, self._largest = store, largest
        self._keys = dict[UUID, str]()
        """The keys of the pages that were found."""

    async def create_entry(
        self,
        request: Request,
        response: Response,
        key: str,
        *,
        ttl: float | None = None,  # noqa: ARG002  pages have the age that their headers give them
        tti: float | None = None,  # noqa: ARG002
    ) -> Entry:
        """The response, which is kept once it was read to its end."""
        entry = Entry(uuid4(), request, response)
        if "authorization" in request.headers:
            return entry
        return replace(entry, response=replace(response, stream=self._saving(entry, key)))

    async def _saving(self, entry: Entry, key: str) -> AsyncIterator[bytes]:
        body, stream = bytearray(), entry.response.stream
        if not isinstance(stream, AsyncIterator):
            raise PageError(f"{entry.request.url!r} has no body to read")
        async for chunk in stream:
            if len(body) <= self._largest:
                body += chunk
            yield chunk
        if len(body) <= self._largest:
            asked, headers = _plain(entry.request.headers), _plain(entry.response.headers)
            page = KeptPage(entry.id, entry.request.url, asked, headers, bytes(body))
            await _try(self._store.put, key, page.entry)

    async def get_entries(self, key: str) -> list[Entry]:
        """The kept response, if there is one."""
        kept = await _try(self._store.get, key)
        page = KeptPage.read(kept)
        if not page:
            return []
        body = page.body

        async def reading() -> AsyncIterator[bytes]:
            await _try(self._store.count_hit, key, kept)
            yield body

        self._keys[page.id] = key
        request = Request("GET", page.url, Headers(page.asked))
        return [Entry(page.id, request, Response(_OK, Headers(page.headers), reading()))]

    async def update_headers(self, id: UUID, headers: Headers) -> None:  # noqa: A002
        """Keep the newer headers of a page that its server called unchanged."""
        if page := await self._found(id):
            entry = replace(page, headers=_plain(headers)).entry
            await _try(self._store.put, self._keys[id], entry)

    async def remove_entry(self, id: UUID) -> None:  # noqa: A002
        """Take a page out."""
        if await self._found(id):
            await _try(self._store.remove, self._keys[id])

    async def _found(self, id_: UUID) -> KeptPage | None:
        """A page that was found, if it is still kept."""
        page = KeptPage.read(await _try(self._store.get, self._keys.get(id_, "")))
        return page if page and page.id == id_ else None


def cached(store: Store, hours: float, largest: int) -> AsyncBaseTransport:
    """A transport to checked addresses that keeps pages as RFC 9111 tells a user's own cache."""
    storage, options = PageStorage(store, largest), CacheOptions(shared=False)
    return AsyncCacheTransport(CheckedTransport(hours), storage, rfc=options)


def _plain(headers: Headers) -> dict[str, list[str]]:
    return {name: headers.get_list(name) or [] for name in headers}
