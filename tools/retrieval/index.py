"""A corpus as an index on disk, which can be updated while other processes search it.

The folder has `index.json` (the manifest) and one shard. An update writes a new shard beside the
old one and then replaces the manifest, so that a reader sees the old index or the new one.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeVar
from weakref import finalize

from filelock import FileLock, Timeout

from errata.core.errors import InputError, SettingError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.files.decoding import read_text
from errata.tools.models.embeddings import embedder_for
from errata.tools.retrieval.documents import describe_skipped, read_file
from errata.tools.retrieval.index_files import (
    MANIFEST,
    SHARD,
    copy_shard,
    has_index,
    own_shard,
    shard_folder,
)
from errata.tools.retrieval.passages import BuildReport, hash_file, source_files, split_passages
from errata.tools.retrieval.shard import Shard

_LOCK = ".building"
_OPEN: dict[Path, tuple[float, Shard]] = {}
"""The indexes that this process has open, each with when its manifest was written."""
_OPENING = Lock()
LOCK_SECONDS = 60.0
"""How long to wait for another process that builds the same index."""
T = TypeVar("T")


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


def is_index(folder: Path) -> bool:
    """Whether the folder has an index."""
    return (folder / MANIFEST).is_file()


def build(
    sources: Sequence[Path], folder: Path, embedder: str = "", encoding: str = ""
) -> BuildReport:
    """Build or update an index of files and folders; only new and changed files are read.

    A file that cannot be read is skipped, and the report says why. A failure leaves the index that
    was there, or nothing. Raises InputError if a source is missing, no file can be read, the index
    cannot be written, the folder is in use for other things, or another process builds it for
    longer than 60 seconds, and SettingError if no encoding has that name.
    """
    paths = source_files(sources)
    _check_place(folder, sources)
    try:
        with _locked(folder):
            return _update(paths, folder, embedder, encoding)
    except Timeout as error:
        raise InputError(f"another process is building {str(folder)!r}; try again later") from error
    except OSError as error:
        raise InputError(
            f"cannot write an index to {str(folder)!r}: {error.strerror or error}; name a folder"
        ) from error


def search(query: str, folder: Path, k: int) -> list[Document]:
    """The k passages of an index that match a query best, with scores; fewer if few match.

    Raises InputError if the folder has no index.
    """
    path = folder.resolve()
    modified = (path / MANIFEST).stat().st_mtime if is_index(path) else 0.0
    with _OPENING:  # once for the process, and again after each build
        if path not in _OPEN or _OPEN[path][0] != modified:
            _OPEN[path] = (modified, _open_shard(path))
        shard = _OPEN[path][1]
    return shard.query(query, k)


def _check_place(folder: Path, sources: Sequence[Path]) -> None:
    """Raise InputError if an index would stand among the sources, or among anything else."""
    cannot, place = f"cannot write an index to {str(folder)!r}", folder.resolve()
    for source in sources:
        real = source.resolve()
        if real == place or place in real.parents or real in place.parents:
            how = "is" if real == place else "contains" if place in real.parents else "lies within"
            raise InputError(
                f"{cannot}: it {how} the source {str(source)!r}; name a folder apart from it"
            )
    if place.is_dir() and not has_index(place) and not all(map(_is_ours, place.iterdir())):
        raise InputError(
            f"{cannot}: the folder holds other things and no index; name a new or an empty one"
        )


def _is_ours(path: Path) -> bool:
    """Whether an index is being built there, or was when its process ended."""
    return path.name in (_LOCK, f"{MANIFEST}.new") or path.name.startswith(SHARD)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder for this process alone; where no index comes of it, what was made is gone."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    lock = folder / _LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=LOCK_SECONDS):
            try:
                yield
            finally:
                if not is_index(folder):
                    with suppress(OSError):
                        lock.unlink()
    finally:
        with suppress(OSError):
            for each in new:
                each.rmdir()


def _update(paths: Mapping[str, Path], folder: Path, embedder: str, encoding: str) -> BuildReport:
    manifest = _read_manifest(folder) if is_index(folder) else Manifest()
    if embedder != manifest.embedder:
        manifest = Manifest(version=manifest.version, embedder=embedder)
    change, current = _plan(paths, manifest, encoding), manifest.version
    try:
        if change.stale or change.fresh:
            manifest = _write_shard(folder, manifest, change)
        if not manifest.files:
            raise InputError(f"nothing to index: {'; '.join(change.notes)}")
        if change.stale or change.fresh:
            draft = folder / f"{MANIFEST}.new"
            draft.write_text(json.dumps(to_json(manifest)) + "\n", encoding="utf-8")
            draft.replace(folder / MANIFEST)
            current = manifest.version
    finally:
        _drop_shards(folder, current)
    return BuildReport(
        len(manifest.files), manifest.passages, change.read, len(change.stale), tuple(change.notes)
    )


@dataclass
class _Change:
    """What an update takes out and brings in, and what it could not read."""

    encoding: str
    stale: Sequence[str] = ()
    fresh: Mapping[str, tuple[Path, str]] = field(default_factory=dict)
    """Path and digest of each new or changed file."""
    read: int = 0
    faults: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """In words, which files were skipped, and what was assumed in reading others."""
        return [*filter(None, self.guesses), *describe_skipped(self.faults)]

    def attempt(self, call: Callable[[], T]) -> T | None:
        """The call's result; None, and a fault, if a file cannot be read."""
        try:
            return call()
        except SettingError:
            raise
        except InputError as error:
            self.faults.append(str(error))
            return None


def _plan(paths: Mapping[str, Path], manifest: Manifest, encoding: str) -> _Change:
    """What differs between the files and a manifest."""
    change = _Change(encoding)
    hashed = {n: change.attempt(partial(hash_file, p, encoding)) for n, p in paths.items()}
    digests = {name: digest for name, digest in hashed.items() if digest}
    stale = [name for name, entry in manifest.files.items() if digests.get(name) != entry.digest]
    fresh = [name for name in digests if name in stale or name not in manifest.files]
    change.stale, change.fresh = stale, {name: (paths[name], digests[name]) for name in fresh}
    return change


def _write_shard(folder: Path, manifest: Manifest, change: _Change) -> Manifest:
    """Write the next shard, without stale files and with fresh ones; returns its manifest."""
    target = shard_folder(folder, manifest.version + 1)
    copy_shard(shard_folder(folder, manifest.version) if manifest.files else None, target)
    with closing(Shard(target, embedder_for(manifest.embedder))) as shard:
        return _change_shard(shard, manifest, change)


def _change_shard(shard: Shard, manifest: Manifest, change: _Change) -> Manifest:
    for entry in (manifest.files[name] for name in change.stale):
        shard.remove(range(entry.first, entry.first + entry.count))
    files = {name: entry for name, entry in manifest.files.items() if name not in change.stale}
    following = manifest.following
    for name, (path, digest) in change.fresh.items():
        file = change.attempt(partial(read_file, path, change.encoding))
        if file is None:
            continue
        change.read += 1
        change.guesses.append(file.note)
        count = shard.add(split_passages(file), following)
        files[name] = Entry(digest=digest, first=following, count=count)
        following += count
    return replace(manifest, version=manifest.version + 1, following=following, files=files)


def _drop_shards(folder: Path, current: int) -> None:
    """Delete all shards but the current one."""
    for shard in folder.glob(f"{SHARD}*"):
        if shard != shard_folder(folder, current):
            shutil.rmtree(shard, ignore_errors=True)


def _read_manifest(folder: Path) -> Manifest:
    if not is_index(folder):
        raise InputError(
            f"{str(folder)!r} has no index; build one with: errata index SOURCE --out DIR"
        )
    return from_json(Manifest, json.loads(read_text(folder / MANIFEST)))


def _open_shard(folder: Path) -> Shard:
    """Open the current shard, and again if a build replaced it meanwhile, and took it away."""
    while True:
        manifest = _read_manifest(folder)
        try:
            shard = _open_version(folder, manifest)
        except Exception:  # each library has errors of its own for what is half gone
            if _read_manifest(folder).version == manifest.version:
                raise
        else:
            if _read_manifest(folder).version == manifest.version:
                return shard


def _open_version(folder: Path, manifest: Manifest) -> Shard:
    """Open a manifest's shard, and keep what that takes for as long as somebody uses it."""
    with ExitStack() as stack:
        path = own_shard(shard_folder(folder, manifest.version), stack)
        shard = Shard(path, embedder_for(manifest.embedder))
        finalize(shard, stack.pop_all().close)
    return shard
