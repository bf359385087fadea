"""A corpus as an embedded index that can be brought up to date while others read it.

A folder holds `index.json` and one shard. Building writes a new shard beside the old one and then
switches: whoever reads meanwhile has the one or the other, never half of one.
"""

import atexit
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock

from filelock import FileLock, Timeout

from errata.errors import InputError
from errata.records import Document, from_json, to_json
from errata.tools.models.embeddings import embedder_for
from errata.tools.retrieval.passages import hash_file, read_passages, source_files
from errata.tools.retrieval.shard import Shard
from errata.tools.text.files import read_text

MANIFEST = "index.json"
LOCK_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Hold what an index knows of one file."""

    hash_file: str
    first: int
    """The number of its first passage."""
    count: int


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Hold what an index consists of."""

    version: int = 0
    embedder: str = ""
    following: int = 0
    """The number that the next passage gets."""
    files: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def passages(self) -> int:
        """Count the passages."""
        return sum(entry.count for entry in self.files.values())


@dataclass(frozen=True)
class BuildReport:
    """Count what building did."""

    files: int
    passages: int
    read: int
    """Files that are new or have changed."""
    removed: int
    """Files that are gone or have changed."""


def is_index(folder: Path) -> bool:
    """Tell whether a folder holds an index."""
    return (folder / MANIFEST).is_file()


def build(sources: Sequence[Path], folder: Path, embedder: str = "") -> BuildReport:
    """Bring an index up to date with its sources: files, and folders of files.

    Reads only what has changed since the last time. Raises InputError where a source is missing or
    another process is building the same index and does not come to an end.
    """
    paths = source_files(sources)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / ".building", timeout=LOCK_SECONDS):
            return _built(paths, folder, embedder)
    except Timeout as error:
        raise InputError(f"another process is building {str(folder)!r}; try again later") from error


def search(query: str, folder: Path, k: int) -> list[Document]:
    """Give at most k passages of an index that match best.

    Raises InputError where the folder holds none.
    """
    return _opened(folder).query(query, k)


def _built(paths: Mapping[str, Path], folder: Path, embedder: str) -> BuildReport:
    before = _manifest(folder) if is_index(folder) else Manifest()
    if embedder != before.embedder:
        before = Manifest(version=before.version, embedder=embedder)
    digests = {name: hash_file(path) for name, path in paths.items()}
    stale = [name for name, entry in before.files.items() if digests.get(name) != entry.digest]
    fresh = [name for name in paths if name in stale or name not in before.files]
    if stale or fresh:
        target = _shard(folder, before.version + 1)
        _copied(_shard(folder, before.version) if before.files else None, target)
        shard = Shard(target, embedder_for(embedder))
        try:
            after = _changed(shard, before, stale, {name: paths[name] for name in fresh}, digests)
        finally:
            shard.close()
        _switch(folder, after)
        before = after
    return BuildReport(len(before.files), before.passages, len(fresh), len(stale))


def _changed(
    shard: Shard,
    before: Manifest,
    stale: Sequence[str],
    fresh: Mapping[str, Path],
    digests: Mapping[str, str],
) -> Manifest:
    """Take out what is stale, add what is fresh."""
    for entry in (before.files[name] for name in stale):
        shard.remove(range(entry.first, entry.first + entry.count))
    files = {name: entry for name, entry in before.files.items() if name not in stale}
    following = before.following
    for name, path in fresh.items():
        count = shard.add(read_passages(path), following)
        files[name] = Entry(digest=digests[name], first=following, count=count)
        following += count
    return replace(before, version=before.version + 1, following=following, files=files)


def _switch(folder: Path, after: Manifest) -> None:
    """Make a new shard the index, and clear away those before the last one."""
    written = folder / f"{MANIFEST}.new"
    written.write_text(json.dumps(to_json(after)) + "\n", encoding="utf-8")
    written.replace(folder / MANIFEST)
    for old in folder.glob("shard-*"):
        if old != _shard(folder, after.version):
            shutil.rmtree(old, ignore_errors=True)


def _manifest(folder: Path) -> Manifest:
    if not is_index(folder):
        raise InputError(
            f"{str(folder)!r} holds no index; build one with: errata index SOURCE --out DIR"
        )
    return from_json(Manifest, json.loads(read_text(folder / MANIFEST)))


def _shard(folder: Path, version: int) -> Path:
    return folder / f"shard-{version}"


def _copied(source: Path | None, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    if source:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".reading"))


_OPEN: dict[Path, tuple[float, Shard]] = {}
_OPENING = Lock()


def _opened(folder: Path) -> Shard:
    """Open an index once for the process, and anew where it was built anew."""
    place = folder.resolve()
    changed = (place / MANIFEST).stat().st_mtime if is_index(place) else 0.0
    with _OPENING:
        if place not in _OPEN or _OPEN[place][0] != changed:
            _OPEN[place] = (changed, _reader(place))
        return _OPEN[place][1]


def _reader(folder: Path) -> Shard:
    """Open a shard in place, or a copy of it where another process has it open."""
    manifest = _manifest(folder)
    shard = _shard(folder, manifest.version)
    lock = FileLock(shard / ".reading", timeout=0)
    try:
        lock.acquire()
        atexit.register(lock.release)
    except (Timeout, OSError):
        copy = Path(mkdtemp(prefix="errata-index-"))
        atexit.register(partial(shutil.rmtree, copy, ignore_errors=True))
        _copied(shard, copy)
        shard = copy
    return Shard(shard, embedder_for(manifest.embedder))
