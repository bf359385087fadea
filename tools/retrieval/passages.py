"""Files split into passages, each with its position in the source."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from errata.core.errors import InputError
from errata.core.records import Document
from errata.tools.files.kinds import SUFFIXES
from errata.tools.retrieval.documents import FileRead, readable_files
from errata.tools.text.sentences import passage_spans


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


def hash_file(path: Path, encoding: str = "") -> str:
    """The SHA-256 of a file's content, in hexadecimal, after the encoding it is read in.

    Raises InputError if the file cannot be read.
    """
    try:
        with path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    return f"{encoding}:{digest}" if encoding else digest


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
