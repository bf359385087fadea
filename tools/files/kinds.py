"""What kind of text a file holds: told by its content for PDF, DOCX and HTML, else by its name."""

import re
from enum import Enum
from html import unescape
from pathlib import PurePath

from errata.core.errors import InputError
from errata.tools.files.decoding import DOCX, PDF, describe_binary


class Kind(Enum):
    """The kinds of files that are read."""

    PDF = "PDF"
    DOCX = "DOCX"
    HTML = "HTML"
    CSV = "CSV"
    JSON = "JSON"
    MARKDOWN = "Markdown"
    TEXT = "plain text"


_SUFFIXES_OF = {
    Kind.PDF: ".pdf",
    Kind.DOCX: ".docx",
    Kind.HTML: ".html .htm .xhtml",
    Kind.CSV: ".csv .tsv",
    Kind.JSON: ".json .jsonl .ndjson",
    Kind.MARKDOWN: ".md .markdown",
    Kind.TEXT: ".txt .text .rst",
}
SUFFIXES = {suffix: kind for kind, names in _SUFFIXES_OF.items() for suffix in names.split()}
"""The files of a folder that are read; a file that is named by itself may have any name."""
_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_TITLE = re.compile(r"<title\b[^<>]*>([^<]*)</title", re.IGNORECASE)
READABLE = "PDF, DOCX, HTML, CSV, JSON, JSON lines, Markdown and plain text"
HEAD = 4096
"""The characters or bytes at a file's start that its kind is told by."""


def tell_kind(data: bytes, name: str, path: PurePath) -> Kind:
    """The kind of a file by its content and its path; raises InputError for one not read."""
    what, named = describe_binary(data), SUFFIXES.get(path.suffix.lower(), Kind.TEXT)
    if what not in ("", PDF, DOCX):
        raise InputError(f"{name} is {what}; errata reads {READABLE}")
    if what:
        return Kind.PDF if what == PDF else Kind.DOCX
    if is_page(data[:HEAD].decode(errors="replace")):
        return Kind.HTML
    return Kind.TEXT if named in (Kind.PDF, Kind.DOCX) else named


def is_page(text: str) -> bool:
    """Whether a text is the source of a page."""
    return bool(_PAGE.match(text))


def page_title(data: bytes) -> str:
    """What a page says that it is called; empty if it does not, or not near its start."""
    found = _TITLE.search(data[:HEAD].decode(errors="replace"))
    return " ".join(unescape(found[1]).split()) if found else ""
