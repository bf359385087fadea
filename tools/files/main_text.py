"""The main text of web pages, PDF files and Word documents."""

from contextlib import suppress
from typing import Any

from errata.core.errors import PageError, SettingError, require
from errata.tools.files.pdf_text import read_pdf
from errata.tools.files.seen import keep_seen
from errata.tools.files.word_text import read_word

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_HEAD = 200_000
"""The bytes of a page that may have its metadata."""
MAX_PDF_PAGES = 50
"""Further pages of a PDF from the web are not read."""


def check_parser(kind: str, url: str) -> None:
    """Raise PageError if the package is missing that reads a page of a media type."""
    if kind == "text/plain":
        return
    package = {PDF: "pdfminer", DOCX: "lxml"}.get(kind, "trafilatura")
    try:
        require(repr(url), "files", package)
    except SettingError as error:
        raise PageError(str(error)) from error


def extract_main_text(
    kind: str, content: bytes, url: str = "", max_pages: int = MAX_PDF_PAGES
) -> str:
    """The main text of a page of a media type; raises PageError if it cannot be read."""
    if kind == "text/plain":
        return content.decode("utf-8", errors="replace")
    if kind not in (PDF, DOCX):
        return _page(content, url)
    try:
        return read_pdf(content, max_pages) if kind == PDF else read_word(content)
    except MemoryError:
        raise
    except Exception as error:  # a parser fails on hostile input in any way
        what = "PDF" if kind == PDF else "Word document"
        fault = f"is not a readable {what}, or has a password: {type(error).__name__} {error}"
        raise PageError(f"{url!r} {fault}") from error


def _page(content: bytes, url: str) -> str:
    from trafilatura import extract
    from trafilatura.utils import load_html

    page: Any = load_html(content)
    if page is None:
        return ""
    seen = keep_seen(page)
    return extract(seen, url=url or None, include_comments=False, favor_recall=True) or ""


def find_page_date(content: bytes) -> str:
    """The day on which a page says that it was changed last, or published; empty without one.

    It is read from its metadata alone, as 2024-03-01.
    """
    from htmldate import find_date

    with suppress(Exception):  # a parser fails on hostile input in any way
        return find_date(content[:_HEAD], extensive_search=False, original_date=False) or ""
    return ""
