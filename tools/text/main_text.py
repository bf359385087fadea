"""The main text of web pages, PDF files and Word documents."""

from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile

from errata.errors import PageError
from errata.tools.text import loaders
from errata.tools.text.tables import describe_rows

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAX_PDF_PAGES = 50
"""Further pages of a PDF from the web are not read."""
MAX_UNPACKED = 300_000_000
"""The most bytes that a Word document's parts may unpack to."""


def extract_main_text(
    kind: str, content: bytes, url: str = "", max_pages: int = MAX_PDF_PAGES
) -> str:
    """The main text of a page of a media type; every paragraph is one line.

    Raises PageError if a PDF, a Word document or what a loader reads cannot be read.
    """
    if kind == PDF:
        return _pdf(content, url, max_pages)
    if kind == DOCX:
        return _docx(content, url)
    if kind.startswith(loaders.PREFIX):
        return loaders.load_text(kind.removeprefix(loaders.PREFIX), content, url)
    if kind == "text/plain":
        return content.decode("utf-8", errors="replace")
    from trafilatura import extract

    return extract(content, url=url or None, include_comments=False, favor_recall=True) or ""


def _pdf(content: bytes, url: str, max_pages: int) -> str:
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    try:
        pages = PdfReader(BytesIO(content)).pages[:max_pages]
        return "\n\n".join(" ".join(page.extract_text().split()) for page in pages)
    except FileNotDecryptedError as error:
        raise PageError(f"{url!r} is a PDF with a password; save it without one") from error
    except (PyPdfError, ValueError, KeyError) as error:
        raise PageError(f"{url!r} is not a readable PDF: {error}") from error


def _docx(content: bytes, url: str) -> str:
    """Paragraphs in order, and tables as lines that name the column of each value."""
    from docx import Document
    from docx.opc.exceptions import OpcError

    try:
        with ZipFile(BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MAX_UNPACKED:
                raise PageError(f"{url!r} unpacks to more than {MAX_UNPACKED // 10**6} MB")
        blocks = Document(BytesIO(content)).iter_inner_content()
        return "\n\n".join(filter(None, map(_docx_block, blocks)))
    except (OpcError, BadZipFile, ValueError, KeyError) as error:
        raise PageError(f"{url!r} is not a readable Word document: {error}") from error


def _docx_block(block: "Paragraph | Table") -> str:
    if not hasattr(block, "rows"):
        return " ".join(block.text.split())
    return describe_rows(
        [[" ".join(cell.text.split()) for cell in row.cells] for row in block.rows]
    )
