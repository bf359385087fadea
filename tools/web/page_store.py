"""The page cache: hishel's storage in our store, for pages as they came."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from uuid import UUID, uuid4

from hishel import AsyncBaseStorage, CacheOptions, Entry, Headers, Request, Response
from hishel.httpx2 import AsyncCacheTransport
from httpx2 import AsyncBaseTransport

from errata.core.errors import PageError
from errata.tools.net.sqlite_store import SqliteStore, Stored, attempt
from errata.tools.web.transport import OK, CheckedTransport

_try = partial(attempt, "the page cache cannot be used: {}; pages are not kept")


class KeptPage(Stored):
    """One response as it came, and what was asked."""

    id: UUID
    url: str
    asked: dict[str, list[str]]
    """The request's headers."""
    headers: dict[str, list[str]]
    body: bytes

    @property
    def value(self) -> bytes:
        """What a store keeps of it."""
        return self.model_dump_json().encode()


class PageStorage(AsyncBaseStorage):
    """hishel's storage in our store; one that fails is noted, and pages are read without it."""

    def __init__(self, store: SqliteStore, largest: int) -> None:
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
            page = KeptPage(
                id=entry.id,
                url=entry.request.url,
                asked=_plain(entry.request.headers),
                headers=_plain(entry.response.headers),
                body=bytes(body),
            )
            await _try(self._store.put, key, page.value)

    async def get_entries(self, key: str) -> list[Entry]:
        """The kept response, if there is one."""
        kept = await _try(self._store.get, key)
        page = KeptPage.read(kept)
        if not page:
            return []
        body = page.body

        async def reading() -> AsyncIterator[bytes]:
            yield body

        self._keys[page.id] = key
        request = Request("GET", page.url, Headers(page.asked))
        return [Entry(page.id, request, Response(OK, Headers(page.headers), reading()))]

    async def update_headers(self, id: UUID, headers: Headers) -> None:  # noqa: A002
        """Keep the newer headers of a page that its server called unchanged."""
        if page := await self._found(id):
            newer = page.model_copy(update={"headers": _plain(headers)})
            await _try(self._store.put, self._keys[id], newer.value)

    async def remove_entry(self, id: UUID) -> None:  # noqa: A002
        """Take a page out."""
        if await self._found(id):
            await _try(self._store.remove, self._keys[id])

    async def _found(self, id_: UUID) -> KeptPage | None:
        """A page that was found, if it is still kept."""
        page = KeptPage.read(await _try(self._store.get, self._keys.get(id_, "")))
        return page if page and page.id == id_ else None


def cached(store: SqliteStore, hours: float, largest: int) -> AsyncBaseTransport:
    """A transport to checked addresses that keeps pages as RFC 9111 tells a user's own cache."""
    storage, options = PageStorage(store, largest), CacheOptions(shared=False)
    return AsyncCacheTransport(CheckedTransport(hours), storage, rfc=options)


def _plain(headers: Headers) -> dict[str, list[str]]:
    return {name: headers.get_list(name) or [] for name in headers}
