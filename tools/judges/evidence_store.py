"""What was judged, kept with the documents that it was judged by: in SQLite, or in Postgres."""

import atexit
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from errata.core.errors import InputError, SettingError, require
from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.judges.cases import Judgement, digest_of, normal
from errata.tools.net.postgres import Database, Postgres, whole
from errata.tools.net.sqlite_store import SqliteFile, give_back

T = TypeVar("T")
MARK = 0x45455644
"""The application id of a file of ours."""
LONGEST, LARGEST = 5_000, 20_000_000
"""The most characters of a claim or a question, and of a set of documents, that are kept."""
AT_ONCE = 400
"""For how many keys a statement asks."""
_POSTGRES = ("postgresql://", "postgres://")
_TABLES = """
CREATE TABLE IF NOT EXISTS errata_documents (
    digest TEXT PRIMARY KEY, url TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS errata_documents_by_url ON errata_documents (url);
CREATE TABLE IF NOT EXISTS errata_bases (
    basis TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (basis, digest)
);
CREATE INDEX IF NOT EXISTS errata_bases_by_document ON errata_bases (digest, basis);
CREATE TABLE IF NOT EXISTS errata_verdicts (
    key TEXT PRIMARY KEY, claim TEXT NOT NULL, basis TEXT NOT NULL, judged TEXT NOT NULL,
    became TEXT NOT NULL DEFAULT '', told INTEGER NOT NULL DEFAULT 1, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS errata_verdicts_by_basis ON errata_verdicts (basis);
CREATE INDEX IF NOT EXISTS errata_verdicts_by_claim ON errata_verdicts (claim);
CREATE INDEX IF NOT EXISTS errata_verdicts_by_date ON errata_verdicts (judged);
"""
"""`basis` is a set of documents. A verdict `became` another, by its key, after one of them changed;
`told` is 0 until a report had that."""
_FIND = "SELECT key, body FROM errata_verdicts WHERE key IN ({}) AND judged >= ?"
_KEEP = (
    "INSERT INTO errata_verdicts (key, claim, basis, judged, body) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET judged = excluded.judged, became = '', body = excluded.body"
)
_RESTING = (
    "SELECT body FROM errata_verdicts WHERE became = '' AND basis IN "
    "(SELECT basis FROM errata_bases WHERE digest IN ({})) ORDER BY judged, key"
)
_BEHIND = (
    "basis IN (SELECT basis FROM errata_bases JOIN errata_documents USING (digest) WHERE url = ?)"
)
_UNTOLD = (
    "SELECT old.key, old.body, new.body FROM errata_verdicts old JOIN errata_verdicts new "
    "ON new.key = old.became WHERE old.told = 0 ORDER BY new.judged, old.key"
)
_SOURCES = (
    "SELECT digest, url, name FROM errata_documents WHERE digest IN (SELECT digest FROM "
    "errata_bases JOIN errata_verdicts USING (basis) WHERE became = '') ORDER BY url, digest"
)
_SWEEP = (
    "DELETE FROM errata_bases WHERE basis NOT IN (SELECT basis FROM errata_verdicts)",
    "DELETE FROM errata_documents WHERE digest NOT IN (SELECT digest FROM errata_bases)",
)


class EvidenceStore:
    """Judgements in a file or a database, which threads and processes share.

    Every method raises StoreError if it cannot be used, and SettingError if the file is another
    database, a text or a folder. What is stored and cannot be read counts as not there.
    """

    def __init__(self, place: str) -> None:
        """The store at a place; nothing is read or written yet."""
        self._database: SqliteFile | Postgres = (
            Postgres(place, _TABLES)
            if place.startswith(_POSTGRES)
            else SqliteFile(place, MARK, f"PRAGMA secure_delete=ON;{_TABLES}")
        )

    def close(self) -> None:
        """Close it; the next work opens it again."""
        self._database.close()

    def _ask(self, told: str, *values: object) -> list[Any]:
        rows: list[Any] = self._database.run(lambda base: base.execute(told, values).fetchall())
        return rows

    def _ask_for(self, told: str, keys: Iterable[str], *values: object) -> Iterator[Any]:
        """The rows for many keys, whose place in the statement is `{}`."""
        own = sorted(set(keys))
        for part in (own[at : at + AT_ONCE] for at in range(0, len(own), AT_ONCE)):
            yield from self._ask(told.format(", ".join("?" * len(part))), *part, *values)

    def find(self, keys: Iterable[str], since: str = "") -> dict[str, Judgement]:
        """What is kept under keys since a moment."""
        found = {key: _read(Judgement, body) for key, body in self._ask_for(_FIND, keys, since)}
        return {key: own for key, own in found.items() if own and own.case.key == key}

    def keep(self, judgements: Sequence[Judgement], documents: Mapping[str, Document]) -> None:
        """Keep judgements with their documents, by their digests: all, or after a fault none.

        What was not judged is left out, and so are claims and documents that are too large.
        """
        size = sum(len(document.text) for document in documents.values())
        kept = [own for own in judgements if size <= LARGEST and _is_fit(own)]

        def work(base: Database) -> None:
            with whole(base):
                for digest, document in sorted(documents.items()):
                    url = document.url if document.url.isprintable() else ""
                    name = document.id if document.id.isprintable() else ""
                    _insert(base, "documents", digest, url, name, _body(document))
                for basis in sorted({own.case.basis for own in kept}):
                    for digest in sorted(documents):
                        _insert(base, "bases", basis, digest)
                for own in sorted(kept, key=lambda each: each.case.key):
                    row = (own.case.key, digest_of(normal(own.case.claim)), own.case.basis)
                    base.execute(_KEEP, (*row, own.judged, _body(own)))

        if kept:
            self._database.run(work)

    def sources(self) -> list[tuple[str, str, str]]:
        """Digest, address and name of each document that some standing verdict rests on."""
        return [tuple(row) for row in self._ask(_SOURCES)]

    def documents(self, digests: Iterable[str]) -> dict[str, Document]:
        """Documents by their digests."""
        told = "SELECT digest, body FROM errata_documents WHERE digest IN ({})"
        found = {digest: _read(Document, body) for digest, body in self._ask_for(told, digests)}
        return {digest: own for digest, own in found.items() if own}

    def resting_on(self, digests: Iterable[str]) -> list[Judgement]:
        """The standing judgements that were made by one of some documents."""
        rows = (_read(Judgement, body) for [body] in self._ask_for(_RESTING, digests))
        return list({own.case.key: own for own in rows if own}.values())

    def supersede(self, before: Judgement, after: Judgement) -> None:
        """Let a kept judgement stand in the place of one; with another label it is an erratum."""
        told = int(before.verdict.label == after.verdict.label)
        rows = sorted([(before.case.key, after.case.key, told), (after.case.key, "", 1)])

        def work(base: Database) -> None:
            with whole(base):
                for key, became, told in rows:
                    changed = "UPDATE errata_verdicts SET became = ?, told = ? WHERE key = ?"
                    base.execute(changed, (became, told, key))

        self._database.run(work)

    def untold(self) -> dict[str, tuple[Judgement, Judgement]]:
        """The errata that no report had yet, the oldest first: what was said, and what is now."""
        pairs = {k: (_read(Judgement, a), _read(Judgement, b)) for k, a, b in self._ask(_UNTOLD)}
        return {key: (old, new) for key, (old, new) in pairs.items() if old and new}

    def tell(self, keys: Iterable[str]) -> None:
        """Note that a report had these errata."""
        told = "UPDATE errata_verdicts SET told = 1 WHERE key = ?"

        def work(base: Database) -> None:
            for key in keys:
                base.execute(told, (key,))

        self._database.run(work)

    def search(self, url: str = "", before: str = "", claim: str = "") -> list[Judgement]:
        """The judgements by a page, before a date and of a claim, as far as these are given."""
        told, values = _search(url, before, claim)
        found = [own for [body] in self._ask(told, *values) if (own := _read(Judgement, body))]
        return sorted(found, key=lambda own: own.judged)

    def forget(self, url: str = "", before: str = "", claim: str = "") -> int:
        """Take out what `search` finds, and what nothing rests on then; returns how many claims."""
        told, values = _search(url, before, claim)
        taking = told.replace("SELECT body", "DELETE", 1)

        def work(base: Database) -> int:
            with whole(base):
                gone = base.execute(taking, values).rowcount
                for told in _SWEEP:
                    base.execute(told)
            return int(gone)

        gone = self._database.run(work)
        if isinstance(self._database, SqliteFile):
            self._database.run(give_back)
        return gone


def _is_fit(own: Judgement) -> bool:
    short = max(len(own.case.claim), len(own.case.question)) <= LONGEST
    return short and own.verdict.label not in ("unchecked", "unreadable")


def _search(url: str = "", before: str = "", claim: str = "") -> tuple[str, list[str]]:
    """The statement that finds these verdicts, with its values."""
    given = {
        _BEHIND: url,
        "judged < ?": before,
        "claim = ?": claim and digest_of(normal(claim)),
    }
    told = " AND ".join(["1 = 1", *(condition for condition, value in given.items() if value)])
    select = f"SELECT body FROM errata_verdicts WHERE {told}"  # noqa: S608  no value is in it
    return select, [value for value in given.values() if value]


def _insert(base: Database, table: str, *row: object) -> None:
    told = f"INSERT INTO errata_{table} VALUES ({', '.join('?' * len(row))})"  # noqa: S608  ours
    base.execute(f"{told} ON CONFLICT DO NOTHING", row)


def _body(record: object) -> str:
    return json.dumps(to_json(record))


def _read(kind: type[T], body: str) -> T | None:
    """A record as it was written; None if it is none."""
    try:
        return from_json(kind, json.loads(body))
    except (InputError, ValueError, RecursionError):
        return None


def check_evidence_store(place: str) -> None:
    """Refuse what is neither a file nor an address of Postgres, or what cannot be opened here.

    Raises SettingError.
    """
    if not place.startswith(_POSTGRES):
        if "://" in place:
            told = place.partition("://")[0]
            raise SettingError(f"evidence_store takes a file or postgresql://…; got {told}://…")
        return
    require("evidence_store in Postgres", "postgres", "psycopg")


@cache
def open_evidence(place: str) -> EvidenceStore:
    """The process's one store at a place; a fork opens its own. Nothing is read or written yet."""
    store = EvidenceStore(place)
    atexit.register(store.close)
    return store


def find_evidence(place: str) -> EvidenceStore:
    """The store that is at a place.

    Raises InputError if there is no such file.
    """
    check_evidence_store(place)
    if not place.startswith(_POSTGRES) and not Path(place).is_file():
        raise InputError(f"there is no evidence store {place!r}")
    return open_evidence(place)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=open_evidence.cache_clear)
