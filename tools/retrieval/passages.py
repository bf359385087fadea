"""Files split into passages, each with its position in the source."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from errata.errors import InputError
from errata.records import Document
from errata.tools.retrieval.folder import SUFFIXES, read_documents
from errata.tools.text.files import read_text
from errata.tools.text.page_parser import Page, ParseLimits, parse_page
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import WORD

MEDIA_TYPES = {".html": "text/html", ".htm": "text/html", ".pdf": "application/pdf"}
"""Files whose main text is extracted."""
FILE_LIMITS = ParseLimits(seconds=120, memory=2_000_000_000, text_size=100_000_000)
"""Limits on a file to index: it may be larger than a web page, as its owner chose it."""
MAX_WORDS = 100
"""Words of a passage: the papers' passages of Wikipedia have 100 words."""


def source_files(sources: Sequence[Path]) -> dict[str, Path]:
    """The files to index by name, from files and folders.

    Raises InputError if a source is missing or none of them has a file that can be read.
    """
    files: dict[str, Path] = {}
    suffixes = (*SUFFIXES, *MEDIA_TYPES)
    for source in sources:
        if not source.exists():
            raise InputError(f"the source {str(source)!r} is missing; name a file or a folder")
        paths = sorted(source.rglob("*")) if source.is_dir() else [source]
        files |= {str(path): path for path in paths if path.suffix.lower() in suffixes}
    if not files:
        raise InputError(f"nothing to index: the sources have no {', '.join(suffixes)}")
    return files


def hash_file(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def read_passages(path: Path) -> Iterator[Document]:
    """The passages of a file, with their positions in `url`: `PATH#char=START,END` (RFC 5147).

    Raises InputError or PageError if the file cannot be read.
    """
    for document, offset in _read_with_offsets(path):
        for start, end in passage_spans(document.text):
            address = document.url or str(path)
            yield replace(
                document,
                id=f"{document.id}:{start + offset}",
                text=document.text[start:end],
                url=f"{address}#char={start + offset},{end + offset}",
                source="corpus",
            )


def passage_spans(text: str) -> list[tuple[int, int]]:
    """The start and end of passages: whole sentences, at most 100 words unless it is only one."""
    spans: list[tuple[int, int]] = []
    length = 0
    for start, end in split_sentences(text):
        count = len(WORD.findall(text, start, end))
        if spans and length + count <= MAX_WORDS:
            spans[-1] = (spans[-1][0], end)
            length += count
        else:
            spans.append((start, end))
            length = count
    return spans


def _read_with_offsets(path: Path) -> list[tuple[Document, int]]:
    """The documents of a file, each with the offset of its text in the file.

    The offset is 0 for a line of JSON, a web page and a PDF: positions count in their own text.
    """
    media_type = MEDIA_TYPES.get(path.suffix.lower())
    if media_type:
        text = parse_page(Page(media_type, path.read_bytes(), str(path)), FILE_LIMITS)
        return [(Document(id=path.name, text=text, title=path.stem), 0)]
    documents = read_documents(path)
    if path.suffix == ".jsonl":
        return [(document, 0) for document in documents]
    return [(document, len(read_text(path)) - len(document.text)) for document in documents]
