"""The main text of web pages and PDF files."""

from io import BytesIO

from errata.errors import PageError

MAX_PDF_PAGES = 50
"""Further pages of a PDF are not read."""


def extract_main_text(kind: str, content: bytes, url: str = "") -> str:
    """The main text of a page of a media type; every paragraph is one line.

    Raises PageError if a PDF cannot be read.
    """
    if kind == "application/pdf":
        return _pdf(content, url)
    if kind == "text/plain":
        return content.decode("utf-8", errors="replace")
    from trafilatura import extract

    return extract(content, url=url or None, include_comments=False, favor_recall=True) or ""


def _pdf(content: bytes, url: str) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        pages = PdfReader(BytesIO(content)).pages[:MAX_PDF_PAGES]
        return "\n\n".join(" ".join(page.extract_text().split()) for page in pages)
    except (PyPdfError, ValueError, KeyError) as error:
        raise PageError(f"{url!r} is not a readable PDF: {error}") from error
