"""A corpus as an index on disk, which can be updated while other processes search it.

The folder has `index.json` (the manifest) and one shard. An update writes a new shard beside the
old one and then replaces the manifest, so that a reader sees the old index or the new one.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from threading import Lock

from filelock import FileLock, Timeout

from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.files.decoding import read_text
from errata.tools.files.kinds import SUFFIXES
from errata.tools.retrieval.documents import (
    FileRead,
    describe_skipped,
    noting,
    read_each,
    readable_files,
)
from errata.tools.retrieval.shard import (
    MANIFEST,
    PASSAGES,
    SHARD,
    Shard,
    is_index,
    to_line,
    write_shard,
)
from errata.tools.text.sentences import passage_spans
from errata.tools.text.words import stem

_LOCK = ".building"
_OPEN: dict[Path, tuple[int, Shard]] = {}
"""The indexes that this process has open, each with when its manifest was written."""
_OPENING = Lock()
LOCK_SECONDS = 60.0
"""How long to wait for another process that builds the same index."""
RANKER = "bm25s 2"
"""What ranks a shard, and the form of its files."""
_BUILD = "errata index SOURCE --out DIR"


@dataclass(frozen=True)
class BuildReport:
    """Counts of a build."""

    files: int
    passages: int
    read: int
    """Files that are new or have changed."""
    removed: int
    """Files that are gone or have changed."""
    notes: tuple[str, ...] = ()
    """In words, which files were skipped, and what was assumed in reading others."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One indexed file: its SHA-256 and how many passages it has."""

    digest: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Contents of `index.json`: the current shard and its files, in the order of its passages."""

    ranker: str = ""
    """What ranks the shard; earlier releases did not say."""
    version: int = 0
    """Number of the current shard."""
    files: Mapping[str, Entry] = field(default_factory=dict)


def build(sources: Sequence[Path], folder: Path, encoding: str = "") -> BuildReport:
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
            return _update(paths, folder, encoding)
    except Timeout as error:
        raise InputError(f"another process is building {str(folder)!r}; try again later") from error
    except OSError as error:
        raise InputError(
            f"cannot write an index to {str(folder)!r}: {error.strerror or error}; name a folder"
        ) from error


def search(query: str, folder: Path, k: int) -> list[Document]:
    """The k passages of an index that match a query best, with scores; fewer if few match.

    Raises InputError if the folder has no index, or one that an earlier release has built.
    """
    path = folder.resolve()
    modified = (path / MANIFEST).stat().st_mtime_ns if is_index(path) else 0
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
    names = [p.name for p in place.iterdir()] if place.is_dir() and not is_index(place) else []
    left = (_LOCK, f"{MANIFEST}.new")  # beside shards, what a build leaves whose process ended
    if not all(name in left or name.startswith(SHARD) for name in names):
        raise InputError(
            f"{cannot}: the folder holds other things and no index; name a new or an empty one"
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder for this process alone; of what was made only a whole index stays."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    lock = folder / _LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=LOCK_SECONDS):
            try:
                yield
            finally:
                current = _shard_folder(folder, _read_manifest(folder))
                for shard in set(folder.glob(f"{SHARD}*")) - {current}:
                    shutil.rmtree(shard, ignore_errors=True)
                if not is_index(folder):
                    with suppress(OSError):
                        lock.unlink()
    finally:
        with suppress(OSError):
            for each in new:
                each.rmdir()


def _update(paths: Mapping[str, Path], folder: Path, encoding: str) -> BuildReport:
    """Write the next shard and its manifest, if any file has changed."""
    manifest = _read_manifest(folder)
    old = manifest.files if manifest.ranker == RANKER else {}  # no other shard can be read
    notes, faults, digests = list[str](), list[str](), dict[str, str]()
    for name, path in paths.items():
        with noting(faults):
            digests[name] = _digest(path, encoding)
    files = {name: entry for name, entry in old.items() if digests.get(name) == entry.digest}
    fresh = [paths[name] for name in digests if name not in files]
    removed = len(old) - len(files)
    new = replace(manifest, ranker=RANKER, version=manifest.version + 1, files=files)
    if removed or fresh:
        kept = _kept_lines(_shard_folder(folder, manifest), old, frozenset(files))
        added = _new_lines(read_each(fresh, faults, encoding), digests, files, notes)
        write_shard(_shard_folder(folder, new), chain(kept, added))
    notes += describe_skipped(faults)
    if not files:
        raise InputError(f"nothing to index: {'; '.join(notes)}")
    if removed or fresh:
        draft = folder / f"{MANIFEST}.new"
        draft.write_text(json.dumps(to_json(new)) + "\n", encoding="utf-8")
        draft.replace(folder / MANIFEST)
    passages = sum(entry.count for entry in files.values())
    read = sum(_spell(path) in files for path in fresh)
    return BuildReport(len(files), passages, read, removed, tuple(notes))


def _digest(path: Path, encoding: str) -> str:
    """The SHA-256 of a file's content, in hexadecimal, after the encoding it is read in."""
    try:
        with path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    return f"{encoding}:{digest}" if encoding else digest


def _kept_lines(shard: Path, old: Mapping[str, Entry], names: frozenset[str]) -> Iterator[bytes]:
    """The passages that a shard has of the files of these names, in order, as they stand."""
    if not names:
        return
    with (shard / PASSAGES).open("rb") as lines:
        for name, entry in old.items():
            for line in islice(lines, entry.count):
                if name in names:
                    yield line


def _new_lines(
    reading: Iterable[FileRead],
    digests: Mapping[str, str],
    files: dict[str, Entry],
    notes: list[str],
) -> Iterator[bytes]:
    """The passages of files that are read; adds each file, and what was assumed in reading it."""
    stem_once = cache(stem)  # a corpus has more words than the process remembers
    for file in reading:
        lines = [to_line(passage, stem_once) for passage in split_passages(file)]
        name = _spell(file.path)
        files[name] = Entry(digest=digests[name], count=len(lines))
        notes.extend(filter(None, [file.note]))
        yield from lines


def _shard_folder(folder: Path, manifest: Manifest) -> Path:
    return folder / f"{SHARD}{manifest.version}"


def _read_manifest(folder: Path) -> Manifest:
    """The manifest of an index; an empty one where there is none."""
    if not is_index(folder):
        return Manifest()
    return from_json(Manifest, json.loads(read_text(folder / MANIFEST)))


def _open_shard(folder: Path) -> Shard:
    """Open the current shard, and again if a build replaced it meanwhile, and took it away."""
    while True:
        manifest = _read_manifest(folder)
        if not is_index(folder):
            raise InputError(f"{str(folder)!r} has no index; build one with: {_BUILD}")
        if manifest.ranker != RANKER:
            raise InputError(
                f"the index in {str(folder)!r} was built by an earlier release, or with dense "
                f"vectors; build it anew with: {_BUILD}"
            )
        try:
            return Shard(_shard_folder(folder, manifest))
        except (OSError, ValueError) as error:
            if _read_manifest(folder).version == manifest.version:
                fault = f"the index in {str(folder)!r} is damaged: {error}"
                raise InputError(f"{fault}; build it anew with: {_BUILD}") from error


def source_files(sources: Sequence[Path]) -> dict[str, Path]:
    """The files to index by name: those that are named, and those of folders by their suffix.

    Raises InputError if a source is missing or there is no file.
    """
    files: dict[str, Path] = {}
    for source in sources:
        if not source.exists():
            raise InputError(f"the source {str(source)!r} is missing; name a file or a folder")
        paths = readable_files(source) if source.is_dir() else [source]
        files |= {_spell(path): path for path in paths}
    if not files:
        raise InputError(f"nothing to index: the sources have no {', '.join(SUFFIXES)}")
    return files


def _spell(path: Path) -> str:
    """A file's path as characters, whatever its bytes are."""
    return str(path).encode(errors="backslashreplace").decode()


def split_passages(file: FileRead) -> Iterator[Document]:
    """The passages of a file, with their positions in `url`: `PATH#char=START,END` (RFC 5147).

    In rows, pages, PDF files, Word documents and tables, positions count in their own text.
    """
    for document in file.documents:
        for start, end in passage_spans(document.text):
            place = f"#char={start + file.offset},{end + file.offset}"
            yield replace(
                document,
                id=f"{document.id}:{start + file.offset}",
                text=document.text[start:end],
                url=f"{document.url or _spell(file.path)}{place}",
                source="corpus",
            )
