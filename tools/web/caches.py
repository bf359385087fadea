"""Where searches and pages are kept between runs, if a run says so."""

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.core.errors import SettingError
from errata.core.jsonable import from_json, to_json
from errata.core.records import SearchResult
from errata.tools.net.stores import Entry, Store, StoreError, open_store

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
        store, key = self._store(), _key(engine, query, count)
        try:
            entry = store.get(key, time.time() - self.hours * 3600)
            found = from_json(SearchResult, json.loads(entry.value)) if entry else None
            if entry:
                store.count_hit(key, entry)
        except (StoreError, ValueError, LookupError, TypeError):
            return None
        return found

    def put(self, result: SearchResult, count: int) -> None:
        """Store the result of a search for `count` hits under its engine and query.

        Raises StoreError if the folder cannot be written.
        """
        if self.folder:
            value = json.dumps(to_json(result)).encode()
            entry = Entry(value, {"engine": result.engine})
            self._store().put(_key(result.engine, result.query, count), entry)

    def _store(self) -> Store:
        return open_store(str(Path(self.folder, SEARCHES)), "searches")


def _key(engine: str, query: str, count: int) -> str:
    return hashlib.sha256(f"{engine}\n{query}\n{count}".encode()).hexdigest()


@dataclass(frozen=True)
class PageCache:
    """A file of pages that processes may share; without a file there is no cache."""

    file: str = ""
    hours: float = 24.0
    """How long a page is fresh where its server says nothing of that."""

    def transport(self, largest: int) -> Any:
        """What sends requests to checked addresses, and keeps pages of at most so many bytes."""
        if not self.file:
            from errata.tools.web.checked import CheckedTransport

            return CheckedTransport()
        from errata.tools.web.transport import cached

        return cached(open_store(self.file, "pages"), self.hours, largest)


def check_page_cache(file: str) -> None:
    """Refuse what is no file.

    Raises SettingError.
    """
    if "://" in file:
        raise SettingError(f"page_cache takes a file, such as pages.sqlite; got {file!r}")
