"""Search results cached in a folder."""

import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident

from errata.core.jsonable import from_json, to_json
from errata.core.records import SearchResult


@dataclass(frozen=True)
class SearchCache:
    """Search results in a folder, a JSON file for each engine, query and count of hits.

    Without a folder there is no cache.
    """

    folder: str = ""
    hours: float = 24.0
    """Age at which a result is out of date."""

    def get(self, engine: str, query: str, count: int) -> SearchResult | None:
        """The cached result; None if there is none, or it is out of date or damaged."""
        path = self._path(engine, query, count)
        if not self.folder or not path.is_file():
            return None
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            fresh = time.time() - entry["at"] <= self.hours * 3600
            return from_json(SearchResult, entry["found"]) if fresh else None
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def put(self, result: SearchResult, count: int) -> None:
        """Store the result of a search for `count` hits under its engine and query.

        Raises OSError if the folder cannot be written.
        """
        if self.folder:
            path = self._path(result.engine, result.query, count)
            path.parent.mkdir(parents=True, exist_ok=True)
            entry = {"at": time.time(), "found": to_json(result)}
            # Written aside and renamed, so that no reader meets half a file, nor another writer.
            draft = path.with_suffix(f".{os.getpid()}-{get_ident()}.new")
            draft.write_text(json.dumps(entry, ensure_ascii=False), encoding="utf-8")
            draft.replace(path)

    def _path(self, engine: str, query: str, count: int) -> Path:
        key = hashlib.sha256(f"{engine}\n{query}\n{count}".encode()).hexdigest()[:24]
        return Path(self.folder, f"{key}.json")
