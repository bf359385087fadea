"""`errata index` and `errata cache`: build an index, describe and prune caches."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from errata.cli.options import AsJson, Encoding
from errata.cli.output import show
from errata.core.errors import InputError, count
from errata.render.terminal import say

Bound = float | None


def index(
    sources: Annotated[list[Path], Argument(help="Files and folders to index.")],
    out: Annotated[Path, Option("--out", help="The folder of the index.")],
    encoding: Encoding = "",
    as_json: AsJson = False,
) -> None:
    """Build an index of texts, or bring one up to date; only what changed is read."""
    from errata.tools.retrieval.index import build

    report = build(sources, out, encoding)
    for note in report.notes:
        say(f"note: {note}")
    found = f"{report.passages} passages of {report.files} files"
    line = f"{found}; {report.read} read, {report.removed} taken out"
    show(report, [line], as_json=as_json)


def cache(
    places: Annotated[list[str], Argument(help="Files of calls.")],
    older_than: Annotated[
        Bound, Option(help="Remove what is older than this many hours.", min=0)
    ] = None,
    to_megabytes: Annotated[
        Bound,
        Option(help="Remove the least recently used until this much is left.", min=0),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Describe caches of calls, or remove old and surplus entries."""
    rows = [_look_at(place, older_than, to_megabytes) for place in places]
    lines = (line for row in rows for line in _describe(row))
    show(rows, lines, as_json=as_json)


def _look_at(place: str, older_than: Bound, to_megabytes: Bound) -> dict[str, Any]:
    """What a cache holds, as JSON, after entries beyond the bounds are taken out.

    `older_than` is in hours. Raises InputError if there is no such cache, or it cannot be used.
    """
    from errata.core.limits import Bounds, open_bounds
    from errata.tools.net.sqlite_store import StoreError
    from errata.tools.net.stores import find_store

    before = None if older_than is None else time.time() - older_than * 3600
    size = None if to_megabytes is None else int(to_megabytes * 1_000_000)
    try:
        with closing(find_store(place)) as store, open_bounds(Bounds()) as bounds:
            pruned = store.prune(before, size) if (before, size) != (None, None) else 0
            found = asdict(store.summary())
    except StoreError as error:
        raise InputError(f"cannot use the cache: {error}") from error
    for note in bounds.notes:
        say(f"note: {note}")
    for end in ("oldest", "newest"):
        if found[end] is not None:
            found[end] = datetime.fromtimestamp(found[end], UTC).isoformat(timespec="seconds")
    return {"cache": place, **found, "pruned": pruned}


def _describe(row: dict[str, Any]) -> Iterator[str]:
    """A cache in lines of text."""
    size, pruned = row["size"] / 1_000_000, row["pruned"]
    yield f"{row['cache']}: {row['kind']}: {row['entries']}, {size:.1f} MB, taken out: {pruned}"
    if row["entries"]:
        yield f"  made from {row['oldest']} to {row['newest']}"
    yield f"  used {count(row['hits'], 'time')}"
