"""A corpus as an index on disk, which can be updated while other processes search it.

The folder has `index.json` (the manifest) and one shard. An update writes a new shard beside the
old one and then replaces the manifest, so that a reader sees the old index or the new one.
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
"""How long to wait for another process that builds the same index."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One indexed file: its SHA-256 and the numbers of its passages."""

    digest: str
    first: int
    """Number of its first passage."""
    count: int


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Contents of `index.json`: the current shard, its embedder and its files."""

    version: int = 0
    """Number of the current shard."""
    embedder: str = ""
    following: int = 0
    """Number of the next passage to be added."""
    files: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def passages(self) -> int:
        """How many passages there are."""
        return sum(entry.count for entry in self.files.values())


@dataclass(frozen=True)
class BuildReport:
    """Counts of a build."""

    files: int
    passages: int
    read: int
    """Files that are new or have changed."""
    removed: int
    """Files that are gone or have changed."""


def is_index(folder: Path) -> bool:
    """Whether the folder has an index."""
    return (folder / MANIFEST).is_file()


def build(sources: Sequence[Path], folder: Path, embedder: str = "") -> BuildReport:
    """Build or update an index of files and folders; only new and changed files are read.

    Raises InputError if a source is missing, or another process builds the same index for longer
    than 60 seconds.
    """
    paths = source_files(sources)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / ".building", timeout=LOCK_SECONDS):
            return _update(paths, folder, embedder)
    except Timeout as error:
        raise InputError(f"another process is building {str(folder)!r}; try again later") from error


def search(query: str, folder: Path, k: int) -> list[Document]:
    """The k passages of an index that match a query best, with scores; fewer if few match.

    Raises InputError if the folder has no index.
    """
    return _open_index(folder).query(query, k)


def _update(paths: Mapping[str, Path], folder: Path, embedder: str) -> BuildReport:
    manifest = _read_manifest(folder) if is_index(folder) else Manifest()
    if embedder != manifest.embedder:
        manifest = Manifest(version=manifest.version, embedder=embedder)
    digests = {name: hash_file(path) for name, path in paths.items()}
    stale = [name for name, entry in manifest.files.items() if digests.get(name) != entry.digest]
    fresh = [name for name in paths if name in stale or name not in manifest.files]
    if stale or fresh:
        new_files = {name: (paths[name], digests[name]) for name in fresh}
        manifest = _write_shard(folder, manifest, stale, new_files)
        _publish(folder, manifest)
    return BuildReport(len(manifest.files), manifest.passages, len(fresh), len(stale))


def _write_shard(
    folder: Path, manifest: Manifest, stale: Sequence[str], fresh: Mapping[str, tuple[Path, str]]
) -> Manifest:
    """Write the next shard, without stale files and with fresh ones; returns its manifest."""
    target = _shard_folder(folder, manifest.version + 1)
    _copy_shard(_shard_folder(folder, manifest.version) if manifest.files else None, target)
    shard = Shard(target, embedder_for(manifest.embedder))
    try:
        return _change_shard(shard, manifest, stale, fresh)
    finally:
        shard.close()


def _change_shard(
    shard: Shard, manifest: Manifest, stale: Sequence[str], fresh: Mapping[str, tuple[Path, str]]
) -> Manifest:
    for entry in (manifest.files[name] for name in stale):
        shard.remove(range(entry.first, entry.first + entry.count))
    files = {name: entry for name, entry in manifest.files.items() if name not in stale}
    following = manifest.following
    for name, (path, digest) in fresh.items():
        count = shard.add(read_passages(path), following)
        files[name] = Entry(digest=digest, first=following, count=count)
        following += count
    return replace(manifest, version=manifest.version + 1, following=following, files=files)


def _publish(folder: Path, manifest: Manifest) -> None:
    """Make the new shard the current one, and delete all others."""
    draft = folder / f"{MANIFEST}.new"
    draft.write_text(json.dumps(to_json(manifest)) + "\n", encoding="utf-8")
    draft.replace(folder / MANIFEST)
    for shard in folder.glob("shard-*"):
        if shard != _shard_folder(folder, manifest.version):
            shutil.rmtree(shard, ignore_errors=True)


def _read_manifest(folder: Path) -> Manifest:
    if not is_index(folder):
        raise InputError(
            f"{str(folder)!r} has no index; build one with: errata index SOURCE --out DIR"
        )
    return from_json(Manifest, json.loads(read_text(folder / MANIFEST)))


def _shard_folder(folder: Path, version: int) -> Path:
    return folder / f"shard-{version}"


def _copy_shard(source: Path | None, target: Path) -> None:
    """Copy a shard, or start from an empty folder if there is none."""
    shutil.rmtree(target, ignore_errors=True)
    if source:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".reading"))


_OPEN: dict[Path, tuple[float, Shard]] = {}
_OPENING = Lock()


def _open_index(folder: Path) -> Shard:
    """The shard of an index, opened once for the process and again after each build."""
    path = folder.resolve()
    modified = (path / MANIFEST).stat().st_mtime if is_index(path) else 0.0
    with _OPENING:
        if path not in _OPEN or _OPEN[path][0] != modified:
            _OPEN[path] = (modified, _open_shard(path))
        return _OPEN[path][1]


def _open_shard(folder: Path) -> Shard:
    """Open the current shard, or a copy of it if another process has it open."""
    manifest = _read_manifest(folder)
    shard = _shard_folder(folder, manifest.version)
    lock = FileLock(shard / ".reading", timeout=0)
    try:
        lock.acquire()
        atexit.register(lock.release)
    except (Timeout, OSError):
        copy = Path(mkdtemp(prefix="errata-index-"))
        atexit.register(partial(shutil.rmtree, copy, ignore_errors=True))
        _copy_shard(shard, copy)
        shard = copy
    return Shard(shard, embedder_for(manifest.embedder))
