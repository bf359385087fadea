"""`errata index` and `errata cache`: build an index, describe and prune caches."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from errata.cli.options import AsJson, Encoding
from errata.cli.output import show
from errata.core.errors import InputError, SettingError, count
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.tools.net.sqlite_store import SqliteStore

Bound = float | None


def index(
    sources: Annotated[list[Path], Argument(help="Files and folders to index.")],
    out: Annotated[Path, Option("--out", help="The folder of the index.")],
    encoding: Encoding = "",
    as_json: AsJson = False,
) -> None:
    """Build an index of texts, or bring one up to date; only what changed is read."""
    from errata.tools.retrieval.index import build
    from errata.tools.retrieval.objects import refuse_name

    refuse_name(str(out), "corpus")
    report = build(sources, out, encoding)
    for note in report.notes:
        say(f"note: {note}")
    found = f"{report.passages} passages of {report.files} files"
    line = f"{found}; {report.read} read, {report.removed} taken out"
    show(report, [line], as_json=as_json)


def cache(
    places: Annotated[list[str], Argument(help="Files of calls or pages.")],
    prune: Annotated[bool, Option("--prune", help="Remove entries.")] = False,
    older_than: Annotated[
        Bound, Option(help="With --prune: remove what is older than this many hours.", min=0)
    ] = None,
    to_megabytes: Annotated[
        Bound,
        Option(help="With --prune: remove the least recently used until this much is left.", min=0),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Describe caches of calls and pages, or remove old and surplus entries."""
    if prune != (older_than is not None or to_megabytes is not None):
        raise SettingError(
            "--prune needs --older-than HOURS, --to-megabytes NUMBER or both, and these need "
            "--prune"
        )
    rows = [look_at(place, older_than, to_megabytes) for place in places]
    lines = (line for row in rows for line in _describe(row, told=prune))
    show(rows, lines, as_json=as_json)


@contextmanager
def _opened(store: "SqliteStore") -> Iterator["SqliteStore"]:
    """A store, closed after the block; raises InputError if it cannot be used."""
    from errata.core.limits import Bounds, open_bounds
    from errata.tools.net.sqlite_store import StoreError

    try:
        with closing(store), open_bounds(Bounds()) as bounds:
            yield store
        for note in bounds.notes:
            say(f"note: {note}")
    except StoreError as error:
        raise InputError(f"cannot use the cache: {error}") from error


def look_at(place: str, older_than: Bound = None, to_megabytes: Bound = None) -> dict[str, Any]:
    """What a cache holds, as JSON, after entries beyond the bounds are taken out.

    `older_than` is in hours. Raises InputError if there is no such cache, or it cannot be used.
    """
    from errata.tools.net.stores import find_store

    before = None if older_than is None else time.time() - older_than * 3600
    size = None if to_megabytes is None else int(to_megabytes * 1_000_000)
    with _opened(find_store(place)) as store:
        pruned = store.prune(before, size) if (before, size) != (None, None) else 0
        found = asdict(store.summary())
    for end in ("oldest", "newest"):
        if found[end] is not None:
            found[end] = datetime.fromtimestamp(found[end], UTC).isoformat(timespec="seconds")
    return {"cache": place, **found, "pruned": pruned}


def _describe(row: dict[str, Any], *, told: bool) -> Iterator[str]:
    """A cache in lines of text; if `told`, with how many entries were taken out, even if none."""
    were = "was" if row["pruned"] == 1 else "were"
    pruned = f", after {row['pruned']} {were} taken out" if told else ""
    entries, size = row["entries"], row["size"] / 1_000_000
    kind = row["kind"].removesuffix("s") if entries == 1 else row["kind"]
    yield f"{row['cache']}: {entries} {kind}, {size:.1f} MB{pruned}"
    if entries:
        yield f"  made from {row['oldest']} to {row['newest']}"
    yield f"  used {count(row['hits'], 'time')}"
    for part, names in row["by"].items():
        for name, counts in sorted(names.items(), key=lambda each: (-each[1]["entries"], each[0])):
            used = count(counts["hits"], "time")
            yield f"  {part} {name}: {counts['entries']}, used {used}"
