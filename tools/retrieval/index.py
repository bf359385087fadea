"""A corpus as an index on disk, which can be updated while other processes search it.

The folder has a manifest and one hidden folder of bm25s, its shard, with the passages and their
ranking. An update writes a new shard beside the old one and then replaces the manifest, so that a
reader sees the old index or the new one.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.files.decoding import read_text, without_surrogates
from errata.tools.files.kinds import SUFFIXES
from errata.tools.files.rows import parse_json_row
from errata.tools.retrieval.documents import (
    MANIFEST,
    FileRead,
    describe_unread,
    is_index,
    read_each,
    readable_files,
)
from errata.tools.text.sentences import best_of, new_index, open_index, passage_spans
from errata.tools.text.words import WORD, content_words, stem

_LOCK, _SHARD = ".building", "shard-"
LOCK_SECONDS = 60.0
"""How long to wait for another process that builds the same index."""
RANKER = "bm25s 3"
"""What ranks a shard, and the form of its files."""
TITLE_WEIGHT = 3
"""How often a word of a title counts; a word of the text counts once."""
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
    """In words, which files were skipped."""


Manifest = dict[str, Any]
"""`ranker`; `version`, the number of the shard; and the digest and number of passages of each of
`files`, in their order."""


def build(sources: Sequence[Path], folder: Path, encoding: str = "") -> BuildReport:
    """Build or update an index of files and folders; only new and changed files are read.

    A file that cannot be read is skipped, and the report says why. A failure leaves the index that
    was there. Raises InputError if nothing can be read, or not written there, and SettingError if
    no encoding has that name.
    """
    paths = _files_of(sources)
    cannot = f"cannot write an index to {str(folder)!r}"
    inside = folder.iterdir() if folder.is_dir() and not is_index(folder) else ()
    if any(path.name != _LOCK and _SHARD not in path.name for path in inside):
        raise InputError(
            f"{cannot}: the folder holds other things and no index; name a new or an empty one"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / _LOCK, timeout=LOCK_SECONDS):
            return _update(paths, folder, encoding)
    except Timeout as error:
        raise InputError(f"another process is building {str(folder)!r}; try again later") from error
    except OSError as error:
        raise InputError(f"{cannot}: {error.strerror or error}; name a folder") from error


def search_index(query: str, folder: Path, k: int) -> list[Document]:
    """The k best passages of an index, or fewer, with scores; raises InputError without one."""
    path = folder.resolve()
    if not is_index(path):
        raise InputError(f"{str(folder)!r} has no index; build one with: {_BUILD}")
    index = _open(path, (path / MANIFEST).stat().st_mtime_ns)
    found = best_of(index, content_words(query), k)
    return [replace(_passage(index, place), score=score) for place, score in found]


def words_of(document: Document) -> list[str]:
    """The words of a document as it writes them, those of its title as often as they count."""
    return WORD.findall(document.title) * TITLE_WEIGHT + WORD.findall(document.text)


def _update(paths: Mapping[str, Path], folder: Path, encoding: str) -> BuildReport:
    """Write the next shard and its manifest, if any file has changed."""
    manifest = _read_manifest(folder)
    old = manifest["files"] if manifest["ranker"] == RANKER else {}  # no other shard can be read
    faults, digests = list[str](), {name: _digest(paths[name], encoding) for name in paths}
    files = {name: entry for name, entry in old.items() if digests.get(name) == entry[0]}
    fresh = [paths[name] for name in digests if name not in files]
    removed = len(old) - len(files)
    if fresh or removed:
        passages = [*_kept(_shard_of(folder, manifest), old, frozenset(files))]
        for file in read_each(fresh, faults, encoding):
            own, name = [*split_passages(file)], without_surrogates(str(file.path))
            files[name] = [digests[name], len(own)]
            passages += own
        if files:
            new = {"ranker": RANKER, "version": manifest["version"] + 1, "files": files}
            _write(folder, new, passages)
    notes = describe_unread(faults)
    if not files:
        reasons = "; ".join(notes) or f"the sources have no {', '.join(SUFFIXES)}"
        raise InputError(f"nothing to index: {reasons}")
    read, total = len(fresh) - len(faults), sum(count for _, count in files.values())
    return BuildReport(len(files), total, read, removed, notes)


def _write(folder: Path, manifest: Manifest, passages: Sequence[Document]) -> None:
    """Write a shard, then the manifest, which makes it the current one; then take others out."""
    shard, draft, index = _shard_of(folder, manifest), folder / f".{_SHARD}draft", new_index()
    stem_once = cache(stem)  # a corpus has more words than the process remembers
    words = [list(map(stem_once, words_of(passage))) or [""] for passage in passages]
    index.index(words, show_progress=False)
    shutil.rmtree(shard, ignore_errors=True)
    corpus = map(to_json, passages)
    index.save(shard, corpus=corpus, show_progress=False, raise_on_serialization_error=True)
    draft.write_text(json.dumps(manifest) + "\n", encoding="utf-8")
    draft.replace(folder / MANIFEST)
    for other in {*folder.glob(f"*{_SHARD}*")} - {shard}:
        shutil.rmtree(other, ignore_errors=True)


def _digest(path: Path, encoding: str) -> str:
    """A file's SHA-256 after the encoding it is read in; empty if it cannot be read."""
    with suppress(OSError), path.open("rb") as content:
        return f"{encoding}:{hashlib.file_digest(content, 'sha256').hexdigest()}"
    return ""


def _kept(shard: Path, old: Mapping[str, Any], names: frozenset[str]) -> Iterator[Document]:
    """The passages that a shard has of the files of these names, in order, as they stand."""
    index, place = _open_shard(shard) if names else None, 0
    for name, (_, count) in old.items():
        if name in names:
            yield from (_passage(index, each) for each in range(place, place + count))
        place += count


def _open_shard(shard: Path) -> Any:
    """A shard's ranking and passages; raises OSError or ValueError if a file is missing or torn."""
    index = open_index(shard)
    if index.corpus is None:
        raise FileNotFoundError("its passages are missing")
    return index


def _passage(index: Any, place: int) -> Document:
    """A passage of an open shard; threads may read at once, which bm25s's own reader forbids."""
    start, lines = index.corpus.mmindex[place], index.corpus.mmap_obj
    return from_json(Document, json.loads(lines[start : lines.find(b"\n", start)]))


def _shard_of(folder: Path, manifest: Manifest) -> Path:
    return folder / f".{_SHARD}{manifest['version']}"


def _read_manifest(folder: Path) -> Manifest:
    """The manifest of an index; an empty one where there is none."""
    path = folder / MANIFEST
    found = parse_json_row(read_text(path), repr(str(path))) if is_index(folder) else {}
    return {"ranker": "", "version": 0, "files": {}, **found}


@lru_cache(8)
def _open(folder: Path, _modified: int) -> Any:
    """Open the current shard, and again if a build replaced it meanwhile, and took it away."""
    while True:
        manifest = _read_manifest(folder)
        if manifest["ranker"] != RANKER:
            raise InputError(
                f"the index in {str(folder)!r} was built by an earlier release; build it anew "
                f"with: {_BUILD}"
            )
        try:
            return _open_shard(_shard_of(folder, manifest))
        except (OSError, ValueError) as error:
            if _read_manifest(folder) == manifest:
                fault = f"the index in {str(folder)!r} is damaged: {error}"
                raise InputError(f"{fault}; build it anew with: {_BUILD}") from error


def _files_of(sources: Sequence[Path]) -> dict[str, Path]:
    """The files to index by name: those that are named, and those of folders by their suffix."""
    files: dict[str, Path] = {}
    for source in sources:
        if not source.exists():
            raise InputError(f"the source {str(source)!r} is missing; name a file or a folder")
        paths = readable_files(source) if source.is_dir() else [source]
        files |= {without_surrogates(str(path)): path for path in paths}
    return files


def split_passages(file: FileRead) -> Iterator[Document]:
    """The passages of a file, with their positions in `url`: `PATH#char=START,END` (RFC 5147)."""
    for document in file.documents:
        for start, end in passage_spans(document.text):
            place = f"#char={start + file.offset},{end + file.offset}"
            yield replace(
                document,
                id=f"{document.id}:{start + file.offset}",
                text=document.text[start:end],
                url=f"{document.url or without_surrogates(str(file.path))}{place}",
                source="corpus",
            )
