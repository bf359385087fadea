"""The main text of web pages, PDF files and Word documents."""

from contextlib import suppress
from io import BytesIO
from zipfile import BadZipFile, ZipFile

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
MAX_UNPACKED = 300_000_000
"""The most bytes that a Word document's parts may unpack to."""


def check_parser(kind: str, url: str) -> None:
    """Raise PageError if the package is missing that reads a page of a media type."""
    package = {PDF: "pypdf", DOCX: "docx"}.get(kind, "trafilatura")
    if kind == "text/plain":
        return
    try:
        require(repr(url), "files", package)
    except SettingError as error:
        raise PageError(str(error)) from error


def extract_main_text(
    kind: str, content: bytes, url: str = "", max_pages: int = MAX_PDF_PAGES
) -> str:
    """The main text of a page of a media type; every paragraph is one line.

    Raises PageError if a PDF or a Word document cannot be read.
    """
    if kind == PDF:
        return _pdf(content, url, max_pages)
    if kind == DOCX:
        return _docx(content, url)
    if kind == "text/plain":
        return content.decode("utf-8", errors="replace")
    return _page(content, url)


def _page(content: bytes, url: str) -> str:
    from trafilatura import extract
    from trafilatura.utils import load_html

    page = load_html(content)
    seen = None if page is None else keep_seen(page)
    if seen is None:
        return ""
    return extract(seen, url=url or None, include_comments=False, favor_recall=True) or ""


def find_page_date(content: bytes) -> str:
    """The day on which a page says that it was changed last, or published; empty without one.

    It is read from its metadata alone, as 2024-03-01.
    """
    from htmldate import find_date

    with suppress(Exception):  # a parser fails on hostile input in any way
        return find_date(content[:_HEAD], extensive_search=False, original_date=False) or ""
    return ""


def _pdf(content: bytes, url: str, max_pages: int) -> str:
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    try:
        return read_pdf(PdfReader(BytesIO(content)).pages[:max_pages])
    except FileNotDecryptedError as error:
        raise PageError(f"{url!r} is a PDF with a password; save it without one") from error
    except (PyPdfError, ValueError, KeyError) as error:
        raise PageError(f"{url!r} is not a readable PDF: {error}") from error


def _docx(content: bytes, url: str) -> str:
    from docx import Document
    from docx.opc.exceptions import OpcError

    try:
        with ZipFile(BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MAX_UNPACKED:
                raise PageError(f"{url!r} unpacks to more than {MAX_UNPACKED // 10**6} MB")
        return read_word(Document(BytesIO(content)))
    except (OpcError, BadZipFile, SyntaxError, ValueError, KeyError) as error:
        raise PageError(f"{url!r} is not a readable Word document: {error}") from error
