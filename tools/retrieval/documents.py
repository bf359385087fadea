"""The one reader of files: any kind of text, a page, a PDF or a table as documents."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from langchain_core.documents import Document as LangChainDocument

from errata.core.errors import InputError, PageError, SettingError, count
from errata.core.limits import check_time
from errata.core.records import Document
from errata.tools.files.decoding import decode_text, read_bytes, without_surrogates
from errata.tools.files.kinds import SUFFIXES, Kind, page_title, tell_kind
from errata.tools.files.main_text import DOCX, PDF
from errata.tools.files.page_parser import PageLimits, RawPage, parse_page
from errata.tools.files.rows import TEXT_FIELDS, describe_table, parse_rows
from errata.tools.retrieval.langchain import from_langchain

FILE_LIMITS = PageLimits(seconds=120, memory=2_000_000_000, size=100_000_000, pages=5_000)
"""Limits on parsing a file: it may be larger than a web page, as its owner chose it."""
_MEDIA_TYPES = {Kind.PDF: PDF, Kind.DOCX: DOCX, Kind.HTML: "text/html"}
MANIFEST = "index.json"
"""The file that makes a folder an index."""
_NAMED = 5
"""The most skipped files that one note names."""


@dataclass(frozen=True)
class FileRead:
    """What was read from one file."""

    path: Path
    documents: tuple[Document, ...]
    offset: int = 0
    """Where in the file's text its one document begins; 0 for rows, and for what is parsed."""


@dataclass(frozen=True)
class DocumentsRead:
    """What was read from several files and folders."""

    files: tuple[FileRead, ...] = ()
    notes: tuple[str, ...] = ()
    """A note on the files of each folder that were skipped, and why."""

    def __add__(self, other: "DocumentsRead") -> "DocumentsRead":
        """What was read in both."""
        return DocumentsRead((*self.files, *other.files), (*self.notes, *other.notes))

    @property
    def documents(self) -> list[Document]:
        """The documents of all files, in order."""
        return [document for file in self.files for document in file.documents]

    def __str__(self) -> str:
        """How many documents were read, and of which files."""
        one = len(self.files) == 1
        files = repr(str(self.files[0].path)) if one else count(self.files, "file")
        return f"{count(self.documents, 'document')} of {files}"


def read_source(path: Path, encoding: str = "") -> DocumentsRead:
    """What a file holds, or all files of a folder and its subfolders that can be read, by path.

    Raises InputError if the file is missing, empty or of a kind that is not read, or the folder has
    no file that is; SettingError if no encoding has that name.
    """
    if not path.is_dir():
        return DocumentsRead((read_file(path, encoding),))
    faults = list[str]()
    files, notes = tuple(read_each(readable_files(path), faults, encoding)), describe_unread(faults)
    if not files:
        reasons = "; ".join(notes) or f"no {', '.join(SUFFIXES)}"
        raise InputError(f"the folder {str(path)!r} has no file that can be read: {reasons}")
    return DocumentsRead(files, notes)


def is_index(folder: Path) -> bool:
    """Whether a folder has a finished index: a manifest and a shard."""
    return (folder / MANIFEST).is_file() and any(folder.glob("*shard-*"))


def readable_files(folder: Path) -> list[Path]:
    """What may be read in a folder and its subfolders, by name: nothing hidden, nor of an index."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not (path.name == MANIFEST and is_index(path.parent))
    )


def read_each(paths: Iterable[Path], faults: list[str], encoding: str = "") -> Iterator[FileRead]:
    """What those files hold that can be read; `faults` says why the others cannot."""
    for path in paths:
        check_time()
        try:
            yield read_file(path, encoding)
        except SettingError:
            raise
        except InputError as error:
            faults.append(str(error))


def describe_unread(faults: Sequence[str]) -> tuple[str, ...]:
    """One note on files that were skipped, which says why for the first five; none without any."""
    named = "; ".join([*faults[:_NAMED], *["…"] * (len(faults) > _NAMED)])
    return (f"{count(faults, 'file')} skipped: {named}",) if faults else ()


def read_file(path: Path, encoding: str = "") -> FileRead:
    """What a file holds."""
    return read_content(path, repr(str(path)), read_bytes(path), encoding)


def read_content(path: Path, name: str, data: bytes, encoding: str = "") -> FileRead:
    """What the content of a file holds; `name` is what errors call it."""
    if not data:
        raise InputError(f"{name} is empty")
    kind = tell_kind(data, name, path)
    if kind in _MEDIA_TYPES:
        read = FileRead(path, (_parse(path, kind, data, encoding),))
    else:
        read = _read_text(path, kind, name, decode_text(data, name, encoding))
    if not any(document.text.strip() for document in read.documents):
        scanned = "; a scanned one needs its text recognised first" if kind is Kind.PDF else ""
        raise InputError(f"{name} has no text ({kind.value}){scanned}")
    return read


def _parse(path: Path, kind: Kind, data: bytes, encoding: str) -> Document:
    """A file that another process parses within limits; a page may state its encoding."""
    title = ""
    if kind is Kind.HTML:
        data = decode_text(data, repr(str(path)), encoding).encode() if encoding else data
        title, data = page_title(data), b"<html><body>%b</body></html>" % data  # or a part of one
    try:
        text = parse_page(RawPage(_MEDIA_TYPES[kind], data, str(path)), FILE_LIMITS).text
    except PageError as error:
        raise InputError(str(error)) from error
    return _document(path, text, title)


def _document(path: Path, text: str, title: str = "") -> Document:
    """A text as a document, called by the file's name where it says no title itself."""
    name = without_surrogates(path.name)
    return Document(id=name, text=text, title=title or name_in_stem(path, text))


def _read_text(path: Path, kind: Kind, name: str, text: str) -> FileRead:
    if kind is Kind.JSON:
        rows = parse_rows(text, name, lines=path.suffix.lower() != ".json")
        return FileRead(path, tuple(_row_document(row, where) for where, row in rows))
    if kind is Kind.CSV:
        return FileRead(path, (_document(path, describe_table(text, name)),))
    first, _, rest = text.partition("\n")
    # A Markdown heading is the title of what follows.
    title, own = (first[2:].strip(), rest) if first.startswith("# ") else ("", text)
    return FileRead(path, (_document(path, own, title),), len(text) - len(own))


def name_in_stem(path: Path, text: str) -> str:
    """The title that a file's name gives: a name, as the text or else the stem itself writes it.

    >>> name_in_stem(Path("eiffel-tower.txt"), "It has a name, the Eiffel Tower.")
    'Eiffel Tower'
    """
    words = re.findall(r"[^\W_]+", without_surrogates(path.stem))
    if not words or all(len(word) == 1 or word.isdigit() for word in words):
        return ""
    spelled = r"[\W_]+".join(words)
    written = re.search(rf"\b{spelled}\b", text, re.IGNORECASE)
    name = " ".join(written[0].split()) if written else ""
    is_name = len(words) > 1 and all(word.istitle() for word in words)
    return name if name[:1].isupper() else " ".join(words) if is_name else ""


def _row_document(row: object, where: str) -> Document:
    """The document in a row: a text, or an object with a text and what else a document has."""
    if isinstance(row, str):
        return Document(text=row)
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected a text or an object, got {type(row).__name__}")
    text = next((row[name] for name in TEXT_FIELDS if name in row), None)
    if not isinstance(text, str):
        keys = ", ".join(list(map(repr, row))[:8])
        raise InputError(f"{where}: expected an object with a `text`, got {keys or 'an empty one'}")
    metadata = row.get("metadata")
    fields = (metadata if isinstance(metadata, dict) else {}) | row
    return from_langchain(LangChainDocument(text, metadata=fields), "given")
