"""What kind of text a file holds, told by its content first and by its name where that is open."""

import re
from enum import Enum
from html import unescape
from pathlib import PurePath

from errata.core.errors import InputError
from errata.tools.files.decoding import DOCX, PDF, describe_binary
from errata.tools.files.rows import holds_rows


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
_FRAGMENT = re.compile(
    r"\s*<(title|meta|link|script|style|article|main|section|div|p|table|ul|ol|h[1-6])\b[^<>]*>",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_TITLE = re.compile(r"<title\b[^<>]*>([^<]*)</title", re.IGNORECASE)
_CLOSING = re.compile(r"</[a-z]", re.IGNORECASE)
READABLE = "PDF, DOCX, HTML, CSV, JSON, JSON lines, Markdown and plain text"
HEAD = 4096
"""The characters or bytes at a file's start that its kind is told by."""


def tell_binary_kind(data: bytes, name: str, path: PurePath) -> Kind | None:
    """PDF or DOCX, whatever the file is called; None for what must be text.

    Raises InputError naming the kind of file if it is a known one that is not read.
    """
    what = describe_binary(data)
    if what == PDF or (path.suffix.lower() == ".pdf" and b"%PDF-" in data[:1024]):
        return Kind.PDF
    if what and what != DOCX:
        raise InputError(f"{name} is {what}; errata reads {READABLE}")
    return Kind.DOCX if what else None


def is_page(text: str) -> bool:
    """Whether a text is the source of a page."""
    return bool(_PAGE.match(text))


def tell_text_kind(text: str, path: PurePath) -> Kind:
    """The kind of a text: a page or rows of JSON by how it begins, else by its name."""
    named = SUFFIXES.get(path.suffix.lower(), Kind.TEXT)
    head = text[:HEAD]
    has_end = _CLOSING.search(head) is not None
    # Markdown may begin with a tag and is no page for that; a page by name needs only one.
    is_part = named is Kind.HTML or (named is Kind.TEXT and _FRAGMENT.match(head) is not None)
    if is_page(head) or (is_part and has_end):
        return Kind.HTML
    if named is Kind.TEXT and holds_rows(text):
        return Kind.JSON
    return Kind.TEXT if named in (Kind.PDF, Kind.DOCX, Kind.HTML) else named


def page_title(text: str) -> str:
    """What a page says that it is called; empty if it does not, or not near its start."""
    found = _TITLE.search(text[:HEAD])
    return " ".join(unescape(found[1]).split()) if found else ""


def complete_page(text: str) -> str:
    """A page that a parser takes for one, from a page or a part of one."""
    return text if is_page(text[:HEAD]) else f"<html><body>{text}</body></html>"
