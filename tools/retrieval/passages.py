"""Files cut into passages that say where in their source they stand."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from errata.errors import InputError
from errata.records import Document
from errata.tools.retrieval.folder import KINDS, read_documents
from errata.tools.text.files import read_text
from errata.tools.text.main_text import extract_main_text
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import WORD

WEB_KINDS = {".html": "text/html", ".htm": "text/html", ".pdf": "application/pdf"}
MAX_WORDS = 100
"""How long a passage may be: the papers' passages of Wikipedia have 100 words."""


def source_files(sources: Sequence[Path]) -> dict[str, Path]:
    """Find the files to index by their names, in order.

    Raises InputError where a source is missing or nothing in it can be read.
    """
    found: dict[str, Path] = {}
    for source in sources:
        if not source.exists():
            raise InputError(f"the source {str(source)!r} is missing; name a file or a folder")
        inside = sorted(source.rglob("*")) if source.is_dir() else [source]
        kinds = (*KINDS, *WEB_KINDS)
        found |= {str(path): path for path in inside if path.suffix.lower() in kinds}
    if not found:
        raise InputError(f"nothing to index: the sources hold no {', '.join((*KINDS, *WEB_KINDS))}")
    return found


def hash_file(path: Path) -> str:
    """Give the SHA-256 of a file's content."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def read_passages(path: Path) -> Iterator[Document]:
    """Cut a file into passages, each with its place in `url`: `PATH#char=START,END` (RFC 5147).

    Raises InputError or PageError where the file cannot be read.
    """
    for document, shift in _documents(path):
        for start, end in passage_spans(document.text):
            where = document.url or str(path)
            yield replace(
                document,
                id=f"{document.id}:{start + shift}",
                text=document.text[start:end],
                url=f"{where}#char={start + shift},{end + shift}",
                source="corpus",
            )


def passage_spans(text: str) -> list[tuple[int, int]]:
    """Cut a text into runs of whole sentences of at most 100 words, one sentence at least."""
    runs: list[tuple[int, int]] = []
    length = 0
    for start, end in split_sentences(text):
        count = len(WORD.findall(text, start, end))
        if runs and length + count <= MAX_WORDS:
            runs[-1] = (runs[-1][0], end)
            length += count
        else:
            runs.append((start, end))
            length = count
    return runs


def _documents(path: Path) -> list[tuple[Document, int]]:
    """Read a file's documents, each with how far into the file its text begins.

    Places in a row, a web page or a PDF count in its own text.
    """
    kind = WEB_KINDS.get(path.suffix.lower())
    if kind:
        text = extract_main_text(kind, path.read_bytes(), str(path))
        return [(Document(id=path.name, text=text, title=path.stem), 0)]
    documents = read_documents(path)
    if path.suffix == ".jsonl":
        return [(document, 0) for document in documents]
    return [(document, len(read_text(path)) - len(document.text)) for document in documents]
