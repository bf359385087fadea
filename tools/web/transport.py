"""The cache that requests for pages go through: what it keeps, and for how long."""

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
from httpx2 import AsyncBaseTransport
from httpx2 import Headers as SentHeaders
from httpx2 import Request as Sent
from httpx2 import Response as Received
from pydantic import TypeAdapter

from errata.core.errors import PageError
from errata.tools.net.stores import Entry as Kept
from errata.tools.net.stores import Store, attempt
from errata.tools.web.checked import RETRIEVED, CheckedTransport

_OK, _UNCHANGED = 200, 304
_HEADERS = TypeAdapter(tuple[dict[str, list[str]], dict[str, list[str]]])
_try = partial(attempt, "the page cache cannot be used: {}; pages are not kept")
_SAYS = re.compile(r"\b(?:max-age|no-cache|no-store)\b", re.IGNORECASE)


class AgedTransport(CheckedTransport):
    """Adds to a response how long it may be kept, where its server does not say."""

    def __init__(self, hours: float) -> None:
        """A page is fresh for so many hours if nothing else is said."""
        super().__init__()
        self._seconds = int(hours * 3600)

    async def handle_async_request(self, request: Sent) -> Received:
        """Send a request; of what comes only pages are to be kept, and no cookie of theirs."""
        response = await super().handle_async_request(request)
        headers = response.headers
        headers[RETRIEVED] = datetime.now(UTC).isoformat(timespec="seconds")
        if response.status_code not in (_OK, _UNCHANGED):
            headers["cache-control"] = "no-store"
        elif response.status_code == _OK:
            headers.pop("set-cookie", None)
            self._date(headers)
        return response

    def _date(self, headers: SentHeaders) -> None:
        # With no date, or a later one, a page would stay new for too long.
        if not _is_past(headers.get_list("date")):
            headers["date"] = formatdate(usegmt=True)
        told = headers.get("cache-control", headers.get("pragma", ""))
        if not _SAYS.search(told) and "expires" not in headers:
            told = f"{told}, max-age={self._seconds}".removeprefix(", ")
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

    id: str
    url: str
    asked: dict[str, list[str]]
    """The request's headers."""
    headers: dict[str, list[str]]
    body: bytes

    @classmethod
    def read(cls, entry: Kept) -> Self | None:
        """A response from what a store keeps; None if it is damaged, or of another form."""
        head, _, body = entry.value.partition(b"\n")
        try:
            values = json.loads(head)
            asked, headers = _HEADERS.validate_python([values["asked"], values["headers"]])
            return cls(UUID(values["id"]).hex, str(values["url"]), asked, headers, body)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None

    @property
    def entry(self) -> Kept:
        """What a store keeps of it, counted by its host."""
        head = {"id": self.id, "url": self.url, "asked": self.asked, "headers": self.headers}
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
            page = KeptPage(entry.id.hex, entry.request.url, asked, headers, bytes(body))
            await _try(self._store.put, key, page.entry)

    async def get_entries(self, key: str) -> list[Entry]:
        """The kept response, if there is one."""
        kept = await _try(self._store.get, key)
        page = KeptPage.read(kept) if kept else None
        if not page:
            return []
        self._keys[UUID(page.id)] = key
        request = Request("GET", page.url, Headers(page.asked))
        response = Response(_OK, Headers(page.headers), self._reading(key, kept, page.body))
        return [Entry(UUID(page.id), request, response)]

    async def _reading(self, key: str, kept: Kept, body: bytes) -> AsyncIterator[bytes]:
        await _try(self._store.count_hit, key, kept)
        yield body

    async def update_headers(self, id: UUID, headers: Headers) -> None:  # noqa: A002
        """Keep the newer headers of a page that its server called unchanged."""
        key, page = await self._find(id)
        if page:
            await _try(self._store.put, key, replace(page, headers=_plain(headers)).entry)

    async def remove_entry(self, id: UUID) -> None:  # noqa: A002
        """Take a page out."""
        key, page = await self._find(id)
        if page:
            await _try(self._store.remove, key)

    async def _find(self, id_: UUID) -> tuple[str, KeptPage | None]:
        """The key of a page that was found, and the page if it is still kept."""
        key = self._keys.get(id_, "")
        kept = await _try(self._store.get, key)
        page = KeptPage.read(kept) if kept else None
        return key, page if page and page.id == id_.hex else None


def cached(store: Store, hours: float, largest: int) -> AsyncBaseTransport:
    """A transport to checked addresses that keeps pages as RFC 9111 tells a user's own cache."""
    storage, options = PageStorage(store, largest), CacheOptions(shared=False)
    return AsyncCacheTransport(AgedTransport(hours), storage, rfc=options)


def _plain(headers: Headers) -> dict[str, list[str]]:
    return {name: headers.get_list(name) or [] for name in headers}
